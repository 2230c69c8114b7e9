/** From what egress answered to what is recorded. Pure: time, randomness and ids are arguments. */
import {
  type ErrorCategory,
  classifyAttempt,
  MAX_TOTAL_ATTEMPTS,
  type Observation,
  type AttemptOutcome,
} from '@posthorn/domain/classify-attempt'
import type { SendResult } from '@posthorn/egress/egress'
import type { AttemptRecord } from '@posthorn/store/pipeline/record-attempts'
import type { WriteResult } from '../storage/write-object.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import type { DroppedEvent, TransformError } from '../send/transform.ts'
import type { LeasedDelivery } from '../delivery.ts'

export interface ClassifiedAttempt {
  attempt: AttemptRecord
  /** null: delivered. */
  category: ErrorCategory | null
  gone: boolean
  /** By its transformation: nothing was sent. */
  dropped: boolean
}

export interface AttemptTimes {
  /** UUIDv7 of the try's start. */
  attemptId: string
  /** ms of the process's clock. */
  takenAt: number
  judgedAt: number
  /** Epoch ms. */
  now: number
  /** In [0, 1). */
  random: number
}

const MAX_INT = 2_147_483_647

/** What became of a try, sent or not. */
type Ended = SendResult | WriteResult | TransformError | DroppedEvent

/** @param requestBody null: the event's payload */
export function classifyResult(
  work: LeasedDelivery,
  way: ResolvedTarget,
  sent: Ended,
  times: AttemptTimes,
  requestBody: string | null = null,
): ClassifiedAttempt {
  const { message } = work
  const verdict = verdictOn(work, way, sent, times)
  const delivered = verdict.outcome === 'delivered'
  const attempt: AttemptRecord = {
    tenantId: message.tenantId,
    id: times.attemptId,
    projectId: message.projectId,
    eventId: message.eventId,
    deliveryId: message.deliveryId,
    endpointId: message.endpointId,
    endpointVersion: way.endpointVersion,
    eventType: message.eventType,
    url: way.url,
    attemptNumber: message.attempts + 1,
    edition: work.edition,
    statusCode: sent.outcome === 'response' ? sent.statusCode : 0,
    error: delivered ? '' : verdict.error,
    durationMs: Math.min(MAX_INT, Math.round(sent.durationMs)),
    overheadUs: overheadUs(sent, times),
    responseBody: sent.outcome === 'response' ? sent.body : '',
    responseHeaders: delivered || sent.outcome !== 'response' ? null : JSON.stringify(sent.headers),
    requestBody,
    head: message.lane === null ? null : { lane: message.lane, token: work.token },
    next: nextOf(verdict),
  }
  return {
    attempt,
    category: delivered ? null : verdict.category,
    gone: verdict.outcome === 'dead' && verdict.gone,
    dropped: sent.outcome === 'dropped',
  }
}

/** Dropped by its transformation: done, as its owner wants it, with a row to be read back though nothing was sent. */
function verdictOn(
  { message }: LeasedDelivery,
  way: ResolvedTarget,
  sent: Ended,
  times: AttemptTimes,
): AttemptOutcome {
  if (sent.outcome === 'dropped') return { outcome: 'delivered' }
  return classifyAttempt(
    observationOf(sent),
    {
      ...way.backoff,
      attemptsMade: message.attempts + 1 - message.attemptsBefore,
      maxAttempts: Math.min(
        message.maxAttempts ?? way.maxRetries,
        MAX_TOTAL_ATTEMPTS - message.attemptsBefore,
      ),
    },
    times.now,
    times.random,
  )
}

function observationOf(sent: Exclude<Ended, DroppedEvent>): Observation {
  if (sent.outcome === 'error') return sent
  const { statusCode } = sent
  const asked = { statusCode, retryAfter: sent.headers['retry-after'] }
  if (!('refusal' in sent)) return { outcome: 'response', ...asked }
  return { outcome: 'error', category: 'storage', detail: sent.refusal, response: asked }
}

function nextOf(verdict: AttemptOutcome): AttemptRecord['next'] {
  if (verdict.outcome === 'delivered') return { state: 'delivered' }
  if (verdict.outcome === 'dead') return { state: 'dead', reason: verdict.reason }
  return { state: 'waiting', afterMs: verdict.afterMs }
}

/** Our own time: from its topic to the first byte out, and from the last byte in to the writer. */
function overheadUs(sent: Ended, times: AttemptTimes): number {
  const sentAt = sent.firstByteOutAt ?? sent.lastByteInAt - sent.durationMs
  const ms = sentAt - times.takenAt + (times.judgedAt - sent.lastByteInAt)
  return Math.min(MAX_INT, Math.max(0, Math.round(ms * 1_000)))
}
