/**
 * What an alert rule does next: a table over its state and what its window shows. A rule that
 * fires notifies once a cooldown, and once more when it resolves, if it had notified of firing.
 *
 * | state  | window         | next   | notifies                                             |
 * |--------|----------------|--------|------------------------------------------------------|
 * | ok     | matches        | firing | when the last firing notification is a cooldown ago  |
 * | ok     | does not match | ok     | no                                                   |
 * | ok     | no data        | ok     | no                                                   |
 * | firing | matches        | firing | when the last firing notification is a cooldown ago  |
 * | firing | does not match | ok     | resolved, if this episode notified of firing         |
 * | firing | no data        | ok     | the same, without a value                            |
 */
import type { AlertMetric, AlertOperator } from './alert-condition.ts'

export type AlertState = 'ok' | 'firing'
export type AlertStatus = 'firing' | 'resolved'

export interface RuleState {
  state: AlertState
  /** Grows each time the rule begins to fire. */
  episode: number
  /** How often this episode has notified of firing. */
  notified: number
  /** When the rule last notified of firing, in whatever episode; epoch ms. */
  notifiedAt: number | null
}

export interface RuleTerms {
  operator: AlertOperator
  threshold: number
  cooldownMs: number
}

export interface RuleEvaluation extends RuleState {
  matched: boolean
  /** null: nobody is told. `sequence` counts the notifications of its episode and status from 1. */
  notification: { status: AlertStatus; sequence: number } | null
}

/** @param value null: there is no data in the window */
export function evaluateRule(
  { operator, threshold, cooldownMs }: RuleTerms,
  before: RuleState,
  value: number | null,
  now: number,
): RuleEvaluation {
  const matched = value !== null && compare(value, operator, threshold)
  if (!matched) return { ...resolve(before), matched }
  const begins = before.state === 'ok'
  const episode = before.episode + (begins ? 1 : 0)
  const notified = begins ? 0 : before.notified
  const firing = { state: 'firing' as const, episode, matched }
  const { notifiedAt } = before
  if (notifiedAt !== null && now - notifiedAt < cooldownMs) {
    return { ...firing, notified, notifiedAt, notification: null }
  }
  const sequence = notified + 1
  const notification = { status: 'firing' as const, sequence }
  return { ...firing, notified: sequence, notifiedAt: now, notification }
}

/** The end of an episode, whatever ends it: the window, or whoever changes the rule. */
export function resolve(before: RuleState): Omit<RuleEvaluation, 'matched'> {
  const isTold = before.state === 'firing' && before.notified > 0
  return {
    ...before,
    state: 'ok',
    notification: isTold ? { status: 'resolved', sequence: 1 } : null,
  }
}

function compare(value: number, operator: AlertOperator, threshold: number): boolean {
  switch (operator) {
    case 'gt':
      return value > threshold
    case 'gte':
      return value >= threshold
    case 'lt':
      return value < threshold
    case 'lte':
      return value <= threshold
    case 'eq':
      return value === threshold
    case 'ne':
      return value !== threshold
  }
}

/** What is counted over a window. */
export interface MetricInputs {
  succeeded: number
  failed: number
  /** The p95 in ms; null: nothing was measured. */
  latencyMs: number | null
  /** How many deliveries wait now. */
  waiting: number
}

/**
 * The value of a metric; null: there is no data. Counts have a value also over an empty window:
 * `delivery_count < 1` is the alarm for silence.
 */
export function metricValue(metric: AlertMetric, counts: MetricInputs): number | null {
  const { succeeded, failed } = counts
  const attempts = succeeded + failed
  switch (metric) {
    case 'failure_rate':
      return attempts === 0 ? null : (100 * failed) / attempts
    case 'success_rate':
      return attempts === 0 ? null : (100 * succeeded) / attempts
    case 'latency':
      return counts.latencyMs
    case 'queue_depth':
      return counts.waiting
    case 'error_count':
      return failed
    case 'delivery_count':
      return attempts
  }
}
