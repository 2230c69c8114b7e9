/**
 * Verifies a request that a user has at hand as the receiver would, and shows what the sender is
 * never told. It shows what was compared, but not what the right value would have been.
 */
import type { Handlers } from '@posthorn/http/handlers'
import { badField } from '@posthorn/http/errors'
import { deliveryIdOf, eventTypeOf } from '@posthorn/inbound/incoming-event'
import { readPayload } from '@posthorn/inbound/payload'
import type { InboundRequest } from '@posthorn/inbound/request'
import type { Verifier } from '@posthorn/inbound/verifier'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { notFound } from '../refusals.ts'
import { presetOf } from './check-inbound.ts'
import { inboundEndpointsOf, openConfig, sourceUrl } from './inbound-record.ts'

export interface VerifyInboundDeps {
  database: Pick<Database, 'inboundEndpoint'>
  seal: Pick<Seal, 'open'>
  verifier: Pick<Verifier, 'verify'>
  now: () => number
}

export function createVerifyInbound(
  { publicUrl }: { publicUrl: string },
  { database, seal, verifier, now }: VerifyInboundDeps,
): Handlers<'portal-api'>['verifyInbound'] {
  return async ({ caller, params, body }) => {
    const where = { ...inboundEndpointsOf(caller), id: params['id'] ?? '' }
    const row = await database.inboundEndpoint.findFirst({ where })
    if (row === null) throw notFound('inbound endpoint')
    const url = URL.parse(body.url ?? sourceUrl(publicUrl, row))
    if (url === null) throw badField('url', 'is no URL')
    const request: InboundRequest = {
      method: body.method,
      url,
      headers: new Map(
        Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), [value]]),
      ),
      body: Buffer.from(body.body),
      receivedAt: now(),
    }
    const preset = await presetOf(row.source)
    const verification = await verifier.verify(preset, request, openConfig(seal, row), row)
    const payload = await readPayload(request, preset)
    const isVerified = verification.outcome === 'verified'
    const reason = verification.outcome === 'rejected' ? verification.reason : 'unavailable'
    const outcome = { verified: isVerified, reason: isVerified ? null : reason }
    const steps = [...verification.steps]
    if ('refused' in payload)
      return { verified: false, reason: payload.refused, steps, eventType: null, deliveryId: null }
    return {
      ...outcome,
      steps,
      eventType: eventTypeOf(preset, row.eventTypeMapping, request, payload),
      deliveryId: deliveryIdOf(preset, request, payload),
    }
  }
}
