/**
 * One try: reads the payload where it did not travel, transforms it where the endpoint says so, signs, sends, judges,
 * and hands the result to the recorder. Its slot is free as soon as the answer is here; the delivery stays ours until
 * the result is recorded.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { dueTopicOf } from '@posthorn/contracts/topics'
import type { DeliveryHeaderNames } from '@posthorn/domain/brand'
import { newId } from '@posthorn/domain/ids'
import type { Egress, SendError, SendResult } from '@posthorn/egress/egress'
import { markWork } from '@posthorn/runtime/current-work'
import type { Log } from '@posthorn/runtime/log'
import { LEASE_MS } from '@posthorn/store/pipeline/lease'
import { mayStillSend } from '../config/decide-admission.ts'
import { classifyResult } from '../record/classify-result.ts'
import { type Secrets, attemptHeaders } from './attempt-headers.ts'
import type { AttemptResult } from '../record/record-results.ts'
import type { ResolvedStorage, WriteObject, WriteResult } from '../storage/write-object.ts'
import type { Mtls, ResolvedTarget } from '../config/tenant-config.ts'
import type { TransformedEvent, DroppedEvent, Transform, TransformError } from './transform.ts'
import type { LeasedDelivery } from '../delivery.ts'

export interface SendAttemptConfig {
  names: DeliveryHeaderNames
  userAgent: string
}

export interface SendAttemptDeps {
  send: Egress['send']
  /** Of an event whose payload did not travel; null: there is no such event. `since`: when it was announced. */
  loadPayload(tenantId: string, eventId: string, since: number): Promise<string | null>
  /** The payload of this one has been, and has so many bytes. */
  loaded(work: LeasedDelivery, bytes: number): void
  /** Called for endpoints in storage mode, instead of `send`. */
  writeObject: WriteObject
  /** Called for endpoints with a transformation only. */
  transform: Transform
  /** The slot is free again. */
  ended(work: LeasedDelivery): void
  record(result: AttemptResult): void
  /** Nothing was sent and nothing can be: the row is left to its `due_at`. */
  drop(work: LeasedDelivery): void
  cancel(work: LeasedDelivery, reason: string): void
  /** ms of the clock that egress uses. */
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  random(): number
  log: Pick<Log, 'warn' | 'error'>
}

export type SendAttempt = (work: LeasedDelivery, way: ResolvedTarget) => void

export function createSendAttempt(config: SendAttemptConfig, deps: SendAttemptDeps): SendAttempt {
  function begin(work: LeasedDelivery, way: ResolvedTarget): void {
    const { payload, tenantId, eventId, token, edition = 0 } = work.message
    work.edition = edition
    if (payload !== null) return prepare(work, way, payload)
    deps.loadPayload(tenantId, eventId, token / 1_000 - LEASE_MS).then(
      (loaded) => {
        if (loaded !== null) {
          deps.loaded(work, loaded.length)
          return prepare(work, way, loaded)
        }
        deps.ended(work)
        deps.cancel(work, 'event deleted')
      },
      (error: unknown) => {
        deps.log.warn('payload.not-read', { tenantId, eventId, error })
        deps.ended(work)
        deps.drop(work)
      },
    )
  }

  function prepare(work: LeasedDelivery, way: ResolvedTarget, payload: string): void {
    const attemptId = newId()
    const { tenantId } = work.message
    markWork(dueTopicOf(work.message), tenantId)
    if (way.transformation === null) return send(work, way, attemptId, payload, null)
    void deps.transform(work.message, way.transformation, payload).then((transformed) => {
      markWork(dueTopicOf(work.message), tenantId)
      if (transformed.outcome === 'unavailable') {
        const { deliveryId } = work.message
        const { detail } = transformed
        deps.log.warn('transformation.not-run', { tenantId, deliveryId, detail })
      } else if (transformed.outcome !== 'changed') {
        return finish(work, way, attemptId, transformed, null)
      } else if (!work.lost) {
        return send(work, way, attemptId, payload, transformed)
      }
      deps.ended(work)
      deps.drop(work)
    })
  }

  function send(
    work: LeasedDelivery,
    way: ResolvedTarget,
    attemptId: string,
    payload: string,
    changed: TransformedEvent | null,
  ): void {
    const mayGo = (): boolean => mayStillSend(work, deps.now())
    // Not at once, here and below: whoever starts tries is told of the end of one only when it has returned.
    if (!mayGo()) return void setImmediate(() => withhold(work))
    const body = changed?.payload ?? payload
    if (way.storage !== null) return store(work, way, way.storage, attemptId, body, changed)
    const opened = open(way)
    if (opened === null) {
      setImmediate(() => finish(work, way, attemptId, unsigned(deps.now()), changed))
      return
    }
    const { message } = work
    const headers = attemptHeaders({
      names: config.names,
      userAgent: config.userAgent,
      base: way.headers,
      event: changed?.headers ?? parseHeaders(message.headers),
      secrets: opened.secrets,
      eventId: message.eventId,
      deliveryId: message.deliveryId,
      eventType: message.eventType,
      traceId: message.traceId,
      attemptNumber: message.attempts + 1,
      body,
      now: deps.databaseNow(),
    })
    const { url, timeoutMs, allowedCidrs, blockedCidrs } = way
    void deps
      .send({
        url,
        owner: message.tenantId,
        headers,
        body,
        timeoutMs,
        allowedCidrs,
        blockedCidrs,
        ...opened.mtls,
        mayGo,
      })
      .then((sent) => {
        if (sent.outcome === 'error' && sent.withheld === true) return withhold(work)
        return finish(work, way, attemptId, sent, changed)
      })
  }

  /** Its lease ended before it could go: whoever has it now sends it. */
  function withhold(work: LeasedDelivery): void {
    const { tenantId, eventId, deliveryId } = work.message
    deps.log.warn('delivery.withheld', { tenantId, eventId, deliveryId })
    deps.ended(work)
    deps.drop(work)
  }

  /** Content alone: an object has no signature, and headers of the event or a transformation have no place in it. */
  function store(
    work: LeasedDelivery,
    way: ResolvedTarget,
    storage: ResolvedStorage,
    attemptId: string,
    body: string,
    changed: TransformedEvent | null,
  ): void {
    const { eventId, eventType, createdAt } = work.message
    void deps
      .writeObject(storage, { eventId, eventType, createdAt, body })
      .then((stored) => finish(work, way, attemptId, stored, changed))
  }

  function open(way: ResolvedTarget): { secrets: Secrets; mtls: Mtls | undefined } | null {
    try {
      return { secrets: way.secrets(), mtls: way.mtls?.() }
    } catch (error) {
      deps.log.error('secret.not-opened', { targetId: way.targetId, error })
      return null
    }
  }

  function finish(
    work: LeasedDelivery,
    way: ResolvedTarget,
    attemptId: string,
    sent: SendResult | WriteResult | TransformError | DroppedEvent,
    changed: TransformedEvent | null,
  ): void {
    deps.ended(work)
    const times = {
      attemptId,
      takenAt: work.takenAt,
      judgedAt: deps.now(),
      now: deps.databaseNow(),
      random: deps.random(),
    }
    const judged = classifyResult(work, way, sent, times, changed?.payload ?? null)
    work.phase = 'unrecorded'
    deps.record({ delivery: work, ...judged })
  }

  return begin
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
