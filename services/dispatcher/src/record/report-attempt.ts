/**
 * The one log line, the metrics and the usage of an attempt, when it is recorded or known not to
 * be.
 */
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Tracing } from '@posthorn/runtime/tracing'
import type { UsageMeter } from '@posthorn/store/usage/usage-meter'
import type { AttemptResult } from './classify-result.ts'

export type ReportAttempt = (result: AttemptResult, recorded: boolean) => void

/** @param now Postgres's time in ms */
export function createReportAttempt(
  log: Pick<Log, 'info'>,
  metrics: Pick<Metrics, 'count' | 'observe'>,
  now: () => number,
  usage: Pick<UsageMeter, 'attemptRecorded'>,
  tracing: Pick<Tracing, 'attempted'> | undefined,
): ReportAttempt {
  return ({ attempt, category, delivery: { message } }, recorded) => {
    const { next } = attempt
    const outcome = next.state === 'waiting' ? 'retry' : next.state
    log.info('attempt.finished', {
      tenantId: attempt.tenantId,
      projectId: attempt.projectId,
      eventId: attempt.eventId,
      deliveryId: attempt.deliveryId,
      attemptId: attempt.id,
      endpointId: attempt.endpointId,
      traceId: message.traceId,
      attemptNumber: attempt.attemptNumber,
      statusCode: attempt.statusCode,
      outcome,
      error: attempt.error === '' ? undefined : attempt.error,
      durationMs: attempt.durationMs,
      overheadUs: attempt.overheadUs,
      nextAfterMs: next.state === 'waiting' ? next.afterMs : undefined,
      recorded,
    })
    tracing?.attempted(
      { ...message, attemptId: attempt.id },
      {
        attemptNumber: attempt.attemptNumber,
        statusCode: attempt.statusCode,
        outcome,
        durationMs: attempt.durationMs,
        category,
      },
    )
    if (!recorded) return
    usage.attemptRecorded(attempt)
    metrics.count('posthorn_deliveries_total', { outcome, category: category ?? '' })
    metrics.observe('posthorn_attempt_seconds', { outcome }, attempt.durationMs / 1_000)
    metrics.observe('posthorn_processing_overhead_seconds', {}, attempt.overheadUs / 1_000_000)
    // A delivery that was delayed or replayed says nothing about how fast we are.
    if (outcome === 'delivered' && message.attempts === 0) {
      metrics.observe(
        'posthorn_delivery_latency_seconds',
        {},
        Math.max(0, now() - message.createdAt) / 1_000,
      )
    }
  }
}
