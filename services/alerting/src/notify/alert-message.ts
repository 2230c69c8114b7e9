/** What a message can say of an alert rule, whatever it is sent to. Pure. */
import { type AlertOperator, signOf } from '@posthorn/domain/alert-condition'
import type { AlertFacts } from '@posthorn/store/alerting/evaluations'

/** The names that templates of `message` and `subject` know. */
export interface AlertMessageData extends Record<string, unknown> {
  rule: string
  status: string
  metric: string
  operator: string
  value: number | null
  threshold: number
  window: string
  endpoint: string
  at: string
  message: string
}

const DECIMALS = 1_000

export function alertMessageData(facts: AlertFacts): AlertMessageData {
  const { rule, status, metric, operator, threshold, window, endpoint, at } = facts
  const value = facts.value === null ? null : Math.round(facts.value * DECIMALS) / DECIMALS
  const message = sentence({ ...facts, value })
  return { rule, status, metric, operator, value, threshold, window, endpoint, at, message }
}

function sentence({ status, metric, operator, value, threshold, window, endpoint }: AlertFacts) {
  const where = endpoint === '' ? '' : ` at ${endpoint}`
  const rule = `${signOf(operator as AlertOperator)} ${threshold} over ${window}`
  if (value === null) return `${metric}${where} is no longer ${rule}: there is no data any more`
  const is = status === 'resolved' ? `is back to ${value}, no longer` : `is ${value},`
  return `${metric}${where} ${is} ${rule}`
}

/** A rule's facts as they could be, for a test of where they are sent to. */
export function sampleOf(facts: Omit<AlertFacts, 'value' | 'endpoint'>): AlertFacts {
  return { ...facts, value: facts.threshold, endpoint: '' }
}
