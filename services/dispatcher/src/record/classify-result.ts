/**
 * From what an attempt observed to what is recorded of it. Pure but for the phase of the delivery:
 * time and randomness are arguments.
 */
import {
  type AttemptOutcome,
  classifyAttempt,
  type ErrorCategory,
  MAX_TOTAL_ATTEMPTS,
  type Observation,
} from '@posthorn/domain/classify-attempt'
import type { AttemptRecord } from '@posthorn/store/pipeline/record-attempts'
import { type Sending, toUnrecorded, type Unrecorded } from '../delivery.ts'
import type { Observed } from '../send/send-attempt.ts'
import type { DroppedEvent } from '../send/transform.ts'

/** What a delivery's attempt has brought: what is recorded of it, and what else follows from it. */
export interface AttemptResult {
  delivery: Unrecorded
  attempt: AttemptRecord
  /** null: delivered. */
  category: ErrorCategory | null
  /** The endpoint answered 410. */
  gone: boolean
  /** The transformation dropped the event: nothing was sent. */
  dropped: boolean
}

export interface ResultTimes {
  /** ms of the process's clock. */
  classifiedAt: number
  /** Epoch ms. */
  now: number
  /** In [0, 1). */
  random: number
}

const MAX_INT = 2_147_483_647

export function classifyResult(
  sending: Sending,
  observed: Observed,
  times: ResultTimes,
): AttemptResult {
  const { message, target } = sending
  const outcome = outcomeOf(sending, observed, times)
  const delivered = outcome.outcome === 'delivered'
  const isResponse = observed.outcome === 'response'
  const attempt: AttemptRecord = {
    tenantId: message.tenantId,
    id: sending.attemptId,
    projectId: message.projectId,
    eventId: message.eventId,
    deliveryId: message.deliveryId,
    endpointId: message.endpointId,
    endpointVersion: target.endpointVersion,
    eventType: message.eventType,
    url: target.url,
    attemptNumber: message.attempts + 1,
    edition: sending.edition,
    statusCode: isResponse ? observed.statusCode : 0,
    error: delivered ? '' : outcome.error,
    durationMs: Math.min(MAX_INT, Math.round(observed.durationMs)),
    overheadUs: overheadUs(observed, sending.takenAt, times.classifiedAt),
    responseBody: isResponse ? observed.body : '',
    responseHeaders: delivered || !isResponse ? null : JSON.stringify(observed.headers),
    requestBody: sending.requestBody,
    head: message.lane === null ? null : { lane: message.lane, token: sending.token },
    next: nextOf(outcome),
  }
  return {
    delivery: toUnrecorded(sending),
    attempt,
    category: delivered ? null : outcome.category,
    gone: outcome.outcome === 'dead' && outcome.gone,
    dropped: observed.outcome === 'dropped',
  }
}

/**
 * An event that its transformation dropped is done, as its owner wants it, with a row to be read
 * back though nothing was sent.
 */
function outcomeOf(
  { message, target }: Sending,
  observed: Observed,
  times: ResultTimes,
): AttemptOutcome {
  if (observed.outcome === 'dropped') return { outcome: 'delivered' }
  return classifyAttempt(
    observationOf(observed),
    {
      ...target.backoff,
      attemptsMade: message.attempts + 1 - message.attemptsBefore,
      maxAttempts: Math.min(
        message.maxAttempts ?? target.maxRetries,
        MAX_TOTAL_ATTEMPTS - message.attemptsBefore,
      ),
    },
    times.now,
    times.random,
  )
}

function observationOf(observed: Exclude<Observed, DroppedEvent>): Observation {
  if (observed.outcome === 'error') return observed
  const { statusCode } = observed
  const response = { statusCode, retryAfter: observed.headers['retry-after'] }
  if (!('refusal' in observed)) return { outcome: 'response', ...response }
  return { outcome: 'error', category: 'storage', detail: observed.refusal, response }
}

function nextOf(outcome: AttemptOutcome): AttemptRecord['next'] {
  if (outcome.outcome === 'delivered') return { state: 'delivered' }
  if (outcome.outcome === 'dead') return { state: 'dead', reason: outcome.reason }
  return { state: 'waiting', afterMs: outcome.afterMs }
}

/** Our own time: from the topic to the first byte out, and from the last byte in to the writer. */
function overheadUs(observed: Observed, takenAt: number, classifiedAt: number): number {
  const sentAt = observed.firstByteOutAt ?? observed.lastByteInAt - observed.durationMs
  const ms = sentAt - takenAt + (classifiedAt - observed.lastByteInAt)
  return Math.min(MAX_INT, Math.max(0, Math.round(ms * 1_000)))
}
