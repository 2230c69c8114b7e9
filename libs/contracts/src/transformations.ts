/** The route that tries a transformation out: its body and its answer. */
import { z } from 'zod'
import { mayInSubAccount } from './access.ts'
import { Transformation } from './endpoints.ts'
import { EventTypeName, headersField, JsonObject } from './fields.ts'
import { API, entry } from './route.ts'

/**
 * The largest script as JSON with half of its characters escaped, a payload as large as an inbound
 * one, and the other fields.
 */
const MAX_TEST_BODY_BYTES = 1280 * 1024

function testTransformationSchema(brand: string) {
  return z.strictObject({
    transformation: Transformation,
    event: z.strictObject({
      id: z.string().min(1).max(255).default('00000000-0000-7000-8000-000000000000'),
      eventType: EventTypeName.default('test'),
      payload: JsonObject,
      headers: headersField(brand).nullable().default(null),
      createdAt: z.iso.datetime({ offset: true }).optional(),
    }),
  })
}

const TransformationTested = z.object({
  result: z
    .object({ payload: z.unknown(), headers: z.record(z.string(), z.string()) })
    .nullable()
    .describe('what would be sent; null without an error: the delivery would be dropped'),
  error: z.string().nullable(),
})

export function transformationRoutes(brand: string) {
  return {
    testTransformation: entry({
      method: 'POST',
      path: `${API}/transformations/test`,
      service: 'portal-api',
      access: mayInSubAccount('endpoints:write', { feature: 'transformations' }),
      // It changes nothing.
      audit: null,
      summary: 'Run a transformation on an event of your own; nothing is sent or saved',
      status: 200,
      body: testTransformationSchema(brand),
      answer: TransformationTested,
      maxBodyBytes: MAX_TEST_BODY_BYTES,
      example: {
        transformation:
          'function transform(event) { return { payload: { order: event.payload.orderId } } }',
        event: { eventType: 'order.paid', payload: { orderId: 'o_1', amount: 1250 } },
      },
    }),
  }
}
