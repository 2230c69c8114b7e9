/**
 * What an attempt sends and what it observes: the payload is read where it did not travel,
 * transformed where the endpoint says so, signed, and sent to the endpoint's URL or written to its
 * storage. What the result means is decided in `record/classify-result.ts`.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { type DueDelivery, dueTopicOf } from '@posthorn/contracts/topics'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import { newId } from '@posthorn/domain/ids'
import { type SigningKeys, signingKeys } from '@posthorn/domain/signature'
import { childTraceparent } from '@posthorn/domain/trace-context'
import type { Egress, SendError, SendResult } from '@posthorn/egress/egress'
import { markWork } from '@posthorn/async/current-work'
import { memoize } from '@posthorn/async/memoize'
import type { Log } from '@posthorn/runtime/log'
import type { Tracing } from '@posthorn/runtime/tracing'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import type { Mtls, ResolvedTarget, Transformation } from '../config/resolve-target.ts'
import type { Sending } from '../delivery.ts'
import type { WriteObject } from '../storage/write-object.ts'
import type { WriteResult } from '../storage/write-result.ts'
import { attemptHeaders, type Headers, type Secrets } from './attempt-headers.ts'
import type { Payloads } from './load-payload.ts'
import type { DroppedEvent, Transform, TransformError } from './transform.ts'

export interface SenderConfig {
  names: DeliveryHeaderNames
  userAgent: string
}

export interface SenderDeps {
  egress: Pick<Egress, 'send'>
  payloads: Payloads
  /** Called for endpoints in storage mode, instead of egress. */
  writeObject: WriteObject
  /** Called for endpoints with a transformation only. */
  transform: Transform
  /** ms of the clock that egress uses. */
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  log: Pick<Log, 'warn' | 'error'>
  tracing?: Pick<Tracing, 'traceparentOf'> | undefined
}

export interface Sender {
  /** The payload of an event that did not travel with its message. */
  loadPayload(sending: Sending): Promise<string | NotSent>
  send(sending: Sending, payload: string): Promise<Observed | NotSent>
}

/** What became of an attempt, whether something was sent or not. */
export type Observed = SendResult | WriteResult | TransformError | DroppedEvent

/**
 * Nothing was sent, and nothing can be. The row is left to its `due_at`, but for an event that has
 * been deleted. `withheld`: the delivery's lease ended before it could go, and whoever has it now
 * sends it.
 */
export interface NotSent {
  outcome: 'not-sent'
  because: 'event deleted' | 'unavailable' | 'withheld'
}

/**
 * Secrets whose prepared keys are kept: some 700 bytes each, and 5 us to make. A workspace with
 * more secrets than these costs the attempts of others no more than that.
 */
const MAX_KEYS = 4_096
const EVENT_DELETED: NotSent = { outcome: 'not-sent', because: 'event deleted' }
const UNAVAILABLE: NotSent = { outcome: 'not-sent', because: 'unavailable' }
const WITHHELD: NotSent = { outcome: 'not-sent', because: 'withheld' }

// oxlint-disable-next-line max-lines-per-function -- the steps of one attempt, in their order
export function createSender(config: SenderConfig, deps: SenderDeps): Sender {
  const { log } = deps
  const keysOf = memoize(MAX_KEYS, signingKeys)

  async function loadPayload({ message }: Sending): Promise<string | NotSent> {
    const { tenantId, eventId, token } = message
    try {
      // No earlier than the delivery was announced: the payload may have been edited before.
      const announcedAt = token / 1_000 - LEASE_MS
      return (await deps.payloads.load(tenantId, eventId, announcedAt)) ?? EVENT_DELETED
    } catch (error) {
      log.warn('payload.not-read', { tenantId, eventId, error })
      return UNAVAILABLE
    }
  }

  function send(sending: Sending, payload: string): Promise<Observed | NotSent> {
    const { message, target } = sending
    sending.attemptId = newId()
    markWork(dueTopicOf(message), message.tenantId)
    return target.transformation === null
      ? sendBody(sending, payload, null)
      : sendTransformed(sending, payload, target.transformation)
  }

  async function sendTransformed(
    sending: Sending,
    payload: string,
    transformation: Transformation,
  ): Promise<Observed | NotSent> {
    const { message } = sending
    const { tenantId, deliveryId } = message
    const transformed = await deps.transform(message, transformation, payload)
    markWork(dueTopicOf(message), tenantId)
    if (transformed.outcome === 'unavailable') {
      log.warn('transformation.not-run', { tenantId, deliveryId, detail: transformed.detail })
      return UNAVAILABLE
    }
    if (transformed.outcome !== 'changed') return transformed
    if (sending.lost) return UNAVAILABLE
    sending.requestBody = transformed.payload
    const body = transformed.payload ?? payload
    return await sendBody(sending, body, transformed.headers)
  }

  async function sendBody(
    sending: Sending,
    body: string,
    changedHeaders: Headers | null,
  ): Promise<Observed | NotSent> {
    const { message, target } = sending
    const mayGo = (): boolean => mayStillSend(sending, deps.now())
    if (!mayGo()) {
      // A later turn of the event loop, here and below: what could fail at once for thousands in a
      // row must not do so in one turn.
      await nextTurn()
      return withheld(sending)
    }
    if (target.storage !== null) {
      // An object has no signature, and headers have no place in it.
      const { eventId, eventType, createdAt } = message
      return await deps.writeObject(target.storage, { eventId, eventType, createdAt, body })
    }
    const opened = open(target)
    if (opened === null) {
      await nextTurn()
      return unsigned(deps.now())
    }
    const { url, timeoutMs, allowedCidrs, blockedCidrs } = target
    const sent = await deps.egress.send({
      url,
      owner: message.tenantId,
      headers: headersOf(sending, body, changedHeaders, opened.secrets),
      body,
      timeoutMs,
      allowedCidrs,
      blockedCidrs,
      ...opened.mtls,
      mayGo,
    })
    return sent.outcome === 'error' && sent.withheld === true ? withheld(sending) : sent
  }

  function headersOf(
    { message, target, attemptId }: Sending,
    body: string,
    changed: Headers | null,
    secrets: Secrets<SigningKeys>,
  ): Headers {
    return attemptHeaders({
      names: config.names,
      userAgent: config.userAgent,
      base: target.headers,
      event: changed ?? parseHeaders(message.headers),
      secrets,
      eventId: message.eventId,
      deliveryId: message.deliveryId,
      eventType: message.eventType,
      traceId: message.traceId,
      traceparent: traceparentOf(message, attemptId),
      attemptNumber: message.attempts + 1,
      body,
      now: deps.databaseNow(),
    })
  }

  function traceparentOf(message: DueDelivery, attemptId: string): string | null {
    if (deps.tracing !== undefined) return deps.tracing.traceparentOf({ ...message, attemptId })
    const { traceparent } = message
    return traceparent === undefined ? null : childTraceparent(traceparent, attemptId)
  }

  function withheld({ message: { tenantId, eventId, deliveryId } }: Sending): NotSent {
    log.warn('delivery.withheld', { tenantId, eventId, deliveryId })
    return WITHHELD
  }

  function open(
    target: ResolvedTarget,
  ): { secrets: Secrets<SigningKeys>; mtls: Mtls | undefined } | null {
    try {
      const { current, previous, previousUntil } = target.secrets()
      const keys = {
        current: keysOf(current),
        previous: previous === null ? null : keysOf(previous),
        previousUntil,
      }
      return { secrets: keys, mtls: target.mtls?.() }
    } catch (error) {
      log.error('secret.not-opened', { targetId: target.targetId, error })
      return null
    }
  }

  return { loadPayload, send }
}

/**
 * Asked just before the bytes go out. The head of a lane whose lease may have ended is left to
 * whoever has it now: it could be delivered already, and the next one with it. The process's own
 * clock counts, from before the lease was asked for.
 */
export function mayStillSend(
  {
    message,
    lost,
    leasedUntil,
  }: { message: { lane: string | null }; lost: boolean; leasedUntil: number },
  now: number,
): boolean {
  return message.lane === null || (!lost && now < leasedUntil)
}

async function nextTurn(): Promise<void> {
  await new Promise(setImmediate)
}

function unsigned(now: number): SendError {
  const detail =
    'the signing secret, or the key of the client certificate, can not be opened: was MASTER_KEY changed?'
  return {
    outcome: 'error',
    category: 'internal',
    detail,
    firstByteOutAt: null,
    lastByteInAt: now,
    durationMs: 0,
  }
}
