/**
 * One request of a platform, from its endpoint to its answer: handshake, verification, payload,
 * script, event. The answer is 202 only once the event is durable; 401 for any fault of the
 * signature; 400 for what can be no event; 503 for what the platform is to send again.
 */
import type { RawAnswer, RawRequest } from '@posthorn/http/raw-router'
import { acceptedAnswer, refusalHeaders } from '@posthorn/inbound/answers'
import { deliveryIdOf, eventTypeOf, forwardedHeaders } from '@posthorn/inbound/incoming-event'
import { readPayload } from '@posthorn/inbound/payload'
import type { InboundRequest } from '@posthorn/inbound/request'
import type { HandshakeAnswer } from '@posthorn/inbound/verification-result'
import type { Verifier } from '@posthorn/inbound/verifier'
import {
  accepted,
  isUnacceptable,
  TRY_LATER,
  NO_SOURCE,
  NOT_ALLOWED,
  OPTIONS,
  quotaExceeded,
  SIGNATURE_INVALID,
  signatureInvalid,
  TOO_BUSY,
  UNACCEPTABLE,
} from './answers.ts'
import type { AcceptInboundEvent } from './accept-inbound-event.ts'
import type { UsedQuota } from '@posthorn/store/usage/usage-meter'
import type { SaveLearnedCredentials } from './save-learned-credentials.ts'
import type { InboundSource } from './inbound-source.ts'

export interface ReceiveDeps {
  /** @returns null when no endpoint has this path; undefined when too many are being looked up */
  find(pathSuffix: string): Promise<InboundSource | null | undefined> | InboundSource | null
  verifier: Pick<Verifier, 'handshake' | 'verify' | 'signedHandshake'> & {
    fetchText(url: URL): Promise<string>
  }
  saveLearned: SaveLearnedCredentials
  /** null: its tenant may have another event. */
  quotaExceeded(source: InboundSource): Promise<UsedQuota | null> | UsedQuota | null
  acceptEvent: AcceptInboundEvent
  /** Reports the outcome: counts, metric, log. */
  onEnd(source: InboundSource, outcome: RequestOutcome, request: RawRequest): void
  /** Milliseconds since 1970. */
  now(): number
}

export interface RequestOutcome {
  /** The metric's label, and for a refusal the reason on the endpoint's record. */
  name: string
  /**
   * How the endpoint's record counts it. A handshake is neither, nor is a browser that opens the
   * address.
   */
  counts: 'received' | 'refused' | 'neither'
}

const PATH_SUFFIX = /^[A-Za-z0-9_-]{8,128}$/

interface Handled extends RequestOutcome {
  answer: RawAnswer
}

export function createReceive(
  { publicUrl }: { publicUrl: string },
  deps: ReceiveDeps,
): (request: RawRequest) => Promise<RawAnswer> {
  async function toInbound(
    { id, tenantId }: InboundSource,
    raw: RawRequest,
  ): Promise<InboundRequest> {
    return {
      method: raw.method as InboundRequest['method'],
      url: new URL(publicUrl + raw.target),
      headers: raw.headers,
      body: await raw.readBody({ tenantId, senderId: id }),
      receivedAt: deps.now(),
    }
  }

  return async (raw) => {
    const source = PATH_SUFFIX.test(raw.segment) ? await deps.find(raw.segment) : null
    if (source === undefined) return TOO_BUSY
    if (source === null) return NO_SOURCE
    raw.belongsTo(source.tenantId)
    const respondTo = async (): Promise<Handled> =>
      await respond(deps, source, await toInbound(source, raw), raw.requestId)
    const handled = await respondTo().catch((error: unknown) => {
      const isTooLarge = (error as { code?: unknown } | null)?.code === 'PAYLOAD_TOO_LARGE'
      if (isTooLarge) deps.onEnd(source, { name: 'too_large', counts: 'refused' }, raw)
      throw error
    })
    deps.onEnd(source, handled, raw)
    return handled.answer
  }
}

async function respond(
  deps: ReceiveDeps,
  source: InboundSource,
  request: InboundRequest,
  traceId: string,
): Promise<Handled> {
  const { verifier } = deps
  const { preset, credentials } = source
  const handshake = verifier.handshake(preset, request, credentials)
  if (handshake !== null) return await shakeHands(deps, source, handshake)
  if (request.method === 'OPTIONS') return { name: 'options', counts: 'neither', answer: OPTIONS }
  if (request.method !== 'POST')
    return { name: 'method_not_allowed', counts: 'neither', answer: NOT_ALLOWED }
  const result = await verifier.verify(preset, request, credentials, source)
  if (result.outcome === 'unavailable') return refused('keys_unavailable', TRY_LATER)
  if (result.outcome === 'rejected') {
    const { reason } = result
    if (isUnacceptable(reason)) return refused(reason, UNACCEPTABLE[reason])
    return refused(reason, signatureInvalid(refusalHeaders(preset)))
  }
  const challenge = verifier.signedHandshake(preset, request, credentials)
  if (challenge !== null) return await shakeHands(deps, source, challenge)
  return await acceptEvent(deps, source, request, traceId)
}

async function shakeHands(
  { verifier, saveLearned }: Pick<ReceiveDeps, 'verifier' | 'saveLearned'>,
  source: InboundSource,
  { status, headers, body, confirm, learned }: HandshakeAnswer,
): Promise<Handled> {
  if (status >= 400) return refused('wrong_credentials', { status, headers, body })
  if (learned !== undefined && (await saveLearned(source, learned)) === 'refused')
    return refused('wrong_credentials', SIGNATURE_INVALID)
  const isConfirmed =
    confirm === undefined ||
    (await verifier.fetchText(confirm).then(
      () => true,
      () => false,
    ))
  if (!isConfirmed) return refused('confirmation_failed', TRY_LATER)
  return { name: 'handshake', counts: 'neither', answer: { status, headers, body } }
}

async function acceptEvent(
  deps: Pick<ReceiveDeps, 'acceptEvent' | 'quotaExceeded'>,
  source: InboundSource,
  request: InboundRequest,
  traceId: string,
): Promise<Handled> {
  const { preset, eventTypeMapping } = source
  const exceeded = await deps.quotaExceeded(source)
  if (exceeded !== null) return refused('quota_exceeded', quotaExceeded(exceeded))
  const payload = await readPayload(request, preset)
  if ('refused' in payload) return refused(payload.refused, UNACCEPTABLE[payload.refused])
  const accept = await deps.acceptEvent({
    source,
    traceId,
    eventType: eventTypeOf(preset, eventTypeMapping, request, payload),
    deliveryId: deliveryIdOf(preset, request, payload),
    payload: payload.text,
    headers: forwardedHeaders(preset, request),
  })
  if (accept.outcome === 'failed') return refused('transformation_failed', TRY_LATER)
  const id = accept.outcome === 'dropped' ? null : accept.eventId
  const answer = accepted(id, acceptedAnswer(preset, request))
  return { name: accept.outcome, counts: 'received', answer }
}

function refused(name: string, answer: RawAnswer): Handled {
  return { name, counts: 'refused', answer }
}
