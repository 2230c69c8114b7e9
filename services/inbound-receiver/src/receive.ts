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
  SIGNATURE_INVALID,
  signatureInvalid,
  TOO_BUSY,
  UNACCEPTABLE,
} from './answers.ts'
import type { VerifiedRequest, AcceptInboundEvent } from './accept-inbound-event.ts'
import type { SaveLearnedCredentials } from './save-learned-credentials.ts'
import type { InboundSource } from './inbound-source.ts'

export interface ReceiveDeps {
  /** @returns null when no endpoint has this path; undefined when too many are being looked up */
  find(pathSuffix: string): Promise<InboundSource | null | undefined> | InboundSource | null
  verifier: Pick<Verifier, 'handshake' | 'verify' | 'signedHandshake'> & {
    fetchText(url: URL): Promise<string>
  }
  saveLearned: SaveLearnedCredentials
  acceptEvent: AcceptInboundEvent
  /** Reports the outcome: counts, metric, log. */
  onEnd(receiver: InboundSource, outcome: RequestOutcome, request: RawRequest): void
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

interface Judged extends RequestOutcome {
  answer: RawAnswer
}

export function createReceive(
  { publicUrl }: { publicUrl: string },
  deps: ReceiveDeps,
): (request: RawRequest) => Promise<RawAnswer> {
  const { verifier } = deps

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

  async function judge(receiver: InboundSource, raw: RawRequest): Promise<Judged> {
    const request = await toInbound(receiver, raw)
    const { preset, credentials } = receiver
    const asked = verifier.handshake(preset, request, credentials)
    if (asked !== null) return await shakeHands(receiver, asked)
    if (request.method === 'OPTIONS') return { name: 'options', counts: 'neither', answer: OPTIONS }
    if (request.method !== 'POST')
      return { name: 'method_not_allowed', counts: 'neither', answer: NOT_ALLOWED }
    const result = await verifier.verify(preset, request, credentials, receiver)
    if (result.outcome === 'unavailable') return refused('keys_unavailable', TRY_LATER)
    if (result.outcome === 'rejected') {
      const { reason } = result
      if (isUnacceptable(reason)) return refused(reason, UNACCEPTABLE[reason])
      return refused(reason, signatureInvalid(refusalHeaders(preset)))
    }
    const challenge = verifier.signedHandshake(preset, request, credentials)
    if (challenge !== null) return await shakeHands(receiver, challenge)
    return await takeIn(receiver, request, raw.requestId)
  }

  async function shakeHands(receiver: InboundSource, answer: HandshakeAnswer): Promise<Judged> {
    const { status, headers, body, confirm, learned } = answer
    if (status >= 400) return refused('wrong_credentials', { status, headers, body })
    if (learned !== undefined && (await deps.saveLearned(receiver, learned)) === 'refused')
      return refused('wrong_credentials', SIGNATURE_INVALID)
    if (confirm !== undefined && !(await isFetched(confirm)))
      return refused('confirmation_failed', TRY_LATER)
    return { name: 'handshake', counts: 'neither', answer: { status, headers, body } }
  }

  async function isFetched(url: URL): Promise<boolean> {
    return await verifier.fetchText(url).then(
      () => true,
      () => false,
    )
  }

  async function takeIn(
    receiver: InboundSource,
    request: InboundRequest,
    traceId: string,
  ): Promise<Judged> {
    const { preset, eventTypeMapping } = receiver
    const payload = await readPayload(request, preset)
    if ('refused' in payload) return refused(payload.refused, UNACCEPTABLE[payload.refused])
    const arrived: VerifiedRequest = {
      source: receiver,
      traceId,
      eventType: eventTypeOf(preset, eventTypeMapping, request, payload),
      deliveryId: deliveryIdOf(preset, request, payload),
      payload: payload.text,
      headers: forwardedHeaders(preset, request),
    }
    const taken = await deps.acceptEvent(arrived)
    if (taken.outcome === 'failed') return refused('transformation_failed', TRY_LATER)
    const id = taken.outcome === 'dropped' ? null : taken.eventId
    const answer = accepted(id, acceptedAnswer(preset, request))
    return { name: taken.outcome, counts: 'received', answer }
  }

  return async (raw) => {
    const receiver = PATH_SUFFIX.test(raw.segment) ? await deps.find(raw.segment) : null
    if (receiver === undefined) return TOO_BUSY
    if (receiver === null) return NO_SOURCE
    raw.belongsTo(receiver.tenantId)
    const judged = await judge(receiver, raw).catch((error: unknown) => {
      const isTooLarge = (error as { code?: unknown } | null)?.code === 'PAYLOAD_TOO_LARGE'
      if (isTooLarge) deps.onEnd(receiver, { name: 'too_large', counts: 'refused' }, raw)
      throw error
    })
    deps.onEnd(receiver, judged, raw)
    return judged.answer
  }
}

function refused(name: string, answer: RawAnswer): Judged {
  return { name, counts: 'refused', answer }
}
