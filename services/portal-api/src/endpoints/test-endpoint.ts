/**
 * Sends a sample event to one endpoint, whatever it subscribes to and filters. The sample is an
 * event like any other: it is listed, and retried as often. At a paused endpoint it waits. Schemas
 * of event types are not applied, since a sample need not fit one.
 */
import { DEFAULT_ATTEMPTS, DEFAULT_PRIORITY, type EventSummary } from '@posthorn/contracts/events'
import { ApiError } from '@posthorn/contracts/errors'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { memberSlice } from '@posthorn/domain/raw-json'
import type { Handlers } from '@posthorn/http/handlers'
import type { Log } from '@posthorn/runtime/log'
import type { NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { AcceptedForEndpoint } from '@posthorn/store/pipeline/accept-for-endpoint'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceDeliveries } from '../announce-deliveries.ts'
import { notFound } from '../refusals.ts'
import { endpointsOf } from './endpoint-record.ts'

export interface TestEndpointDeps {
  database: Pick<Database, 'endpoint'>
  /** null: the idempotency key is used already. */
  acceptForEndpoint(event: NewEvent, endpointId: string): Promise<AcceptedForEndpoint | null>
  announceDeliveries: AnnounceDeliveries
  log: Pick<Log, 'info'>
}

export const TEST_EVENT_TYPE = 'endpoint.test'

/** Nobody knows an event's id before it is made, so no sender's key equals one of these. */
export function testKey(eventId: string): string {
  return `test:${eventId}`
}

export function createTestEndpoint(
  config: { maxPayloadBytes: number },
  deps: TestEndpointDeps,
): Handlers<'portal-api'>['testEndpoint'] {
  return async ({ caller, params, body, text, requestId }) => {
    const where = { ...endpointsOf(caller), id: params['id'] ?? '' }
    const endpoint = await deps.database.endpoint.findFirst({ where })
    if (endpoint === null) throw notFound('endpoint')
    const id = newId()
    const event: NewEvent = {
      tenantId: caller.tenantId,
      id,
      projectId: endpoint.projectId,
      source: 'test',
      idempotencyKey: testKey(id),
      destination: null,
      targetId: null,
      eventType: body.eventType ?? TEST_EVENT_TYPE,
      payload: payloadOf(text, config.maxPayloadBytes) ?? samplePayload(endpoint.id, id),
      headers: null,
      maxAttempts: null,
      priority: DEFAULT_PRIORITY,
      traceId: requestId,
      delaySeconds: 0,
    }
    const accepted = await deps.acceptForEndpoint(event, endpoint.id)
    if (accepted === null) throw new Error(`the key of the new event ${id} is taken`)
    deps.announceDeliveries(accepted)
    deps.log.info('event.accepted', {
      kind: 'test',
      tenantId: event.tenantId,
      projectId: event.projectId,
      eventId: id,
      endpointId: endpoint.id,
      traceId: event.traceId,
      eventType: event.eventType,
      bytes: Buffer.byteLength(event.payload),
    })
    return toSummary(event)
  }
}

/** The payload's text as it was sent; null: the body has none. */
function payloadOf(text: string, maxBytes: number): string | null {
  const slice = text === '' ? null : memberSlice(text, 'payload')
  if (slice === null) return null
  const payload = text.slice(slice.start, slice.end)
  if (Buffer.byteLength(payload) <= maxBytes) return payload
  const message = `must be at most ${maxBytes} bytes`
  const details = [{ path: 'payload', message }]
  throw new ApiError('PAYLOAD_TOO_LARGE', `payload ${message}`, { details })
}

function samplePayload(endpointId: string, eventId: string): string {
  return JSON.stringify({
    test: true,
    message: 'A sample event, sent to see that the endpoint takes and verifies it.',
    endpointId,
    sentAt: timestampOf(eventId),
  })
}

function timestampOf(id: string): string {
  return new Date(timeOfId(id)).toISOString()
}

function toSummary(event: NewEvent): EventSummary {
  return {
    id: event.id,
    idempotencyKey: event.idempotencyKey,
    destination: null,
    eventType: event.eventType,
    status: 'queued',
    attempts: 0,
    maxAttempts: DEFAULT_ATTEMPTS,
    priority: event.priority,
    createdAt: timestampOf(event.id),
    projectId: event.projectId,
    deliverAt: null,
    deliveredAt: null,
    deadReason: null,
    traceId: event.traceId,
  }
}
