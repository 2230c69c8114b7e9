/** Alert rules in words. */
import {
  type AlertCondition,
  type AlertMetric,
  type AlertOperator,
  parseCondition,
} from '@posthorn/domain/alert-condition'
import { parseDuration } from '@posthorn/domain/duration'
import type { Schemas } from '../../api/client.ts'
import { localeOf, t } from '../../texts/t.ts'
import { milliseconds, span } from '../../ui/time.tsx'

export type AlertRule = Schemas['AlertRule']

export function metricWord(metric: AlertMetric): string {
  switch (metric) {
    case 'failure_rate':
      return t('failure rate')
    case 'success_rate':
      return t('success rate')
    case 'latency':
      return t('latency (p95)')
    case 'queue_depth':
      return t('number of waiting deliveries')
    case 'error_count':
      return t('number of failed attempts')
    case 'delivery_count':
      return t('number of attempts')
  }
}

export function operatorWord(operator: AlertOperator): string {
  switch (operator) {
    case 'gt':
      return t('is over')
    case 'gte':
      return t('is at least')
    case 'lt':
      return t('is under')
    case 'lte':
      return t('is at most')
    case 'eq':
      return t('is exactly')
    case 'ne':
      return t('is not')
  }
}

/** A value with the unit of its metric. */
export function valueText(metric: AlertMetric, value: number): string {
  if (metric === 'latency') return milliseconds(Math.round(value))
  const number = new Intl.NumberFormat(localeOf(), { maximumFractionDigits: 2 }).format(value)
  return metric === 'failure_rate' || metric === 'success_rate' ? `${number} %` : number
}

export function durationText(text: string): string {
  const ms = parseDuration(text)
  return ms === null ? text : span(Math.round(ms / 1_000))
}

export function conditionSentence({ metric, operator, value, window }: AlertCondition): string {
  return t('The {metric} {operator} {value} in the last {window}', {
    metric: metricWord(metric),
    operator: operatorWord(operator),
    value: valueText(metric, value),
    window: durationText(window),
  })
}

/** Where a rule tells. */
export function targetText({ action, connectorName }: AlertRule): string {
  if (connectorName !== null) return connectorName
  if (action === null) return '–'
  switch (action.type) {
    case 'slack':
      return action.channel ? `Slack ${action.channel}` : 'Slack'
    case 'email':
      return action.to.join(', ')
    case 'webhook':
      return t('a webhook')
    case 'pagerduty':
      return 'PagerDuty'
  }
}

/** @returns the condition of a text; null: it is none yet */
export function conditionOf(text: string): AlertCondition | null {
  const parsed = parseCondition(text)
  return parsed.outcome === 'ok' ? parsed.condition : null
}

/** The word of `Status` for a rule. */
export function ruleStatus({ enabled, state }: Pick<AlertRule, 'enabled' | 'state'>): string {
  return enabled ? state : 'muted'
}
