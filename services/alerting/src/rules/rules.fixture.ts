/** Rules that are made over HTTP and evaluated on real rows, for the tests of their evaluation. */
import { expect } from '@jest/globals'
import { readWaiting } from '@posthorn/store/alerting/queue-depth'
import { readWindows } from '@posthorn/store/rollups/read-window'
import { alerting, type Json, tenant } from '../alerting.fixture.ts'
import { createEvaluateRules, type EvaluateRulesDeps } from './evaluate-rules.ts'

const ACTION = { type: 'webhook', webhookUrl: 'https://example.com/alerts' }

/** Tests write rollups themselves. */
export const UP_TO_DATE = { isBehind: () => false, catchUp: async () => {} }

export function evaluator(more: Partial<EvaluateRulesDeps> = {}) {
  const { pool } = alerting
  return createEvaluateRules(
    { defaultPlan: 'self_hosted' },
    { pool, rollups: UP_TO_DATE, readWindows, readWaiting, ...more },
  )
}

export async function makeRule(text: string, more: object = {}): Promise<Json> {
  const [metric, operator, value, , window = '5m'] = text.split(' ')
  const condition = { metric, operator, value: Number(value), window }
  const body = { name: text, condition, action: ACTION, ...more }
  const answer = await tenant.call('POST', '/alerting/rules', body)
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 })
  return answer.body
}

export async function evaluate(): Promise<Json> {
  const answer = await tenant.call('POST', '/alerting/evaluate')
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  return answer.body
}

export async function history(query = ''): Promise<Json[]> {
  return (await tenant.call('GET', `/alerting/history${query}`)).body.data
}

/** As if the last notification of a rule had been longer ago. */
export async function pass(minutes: number): Promise<void> {
  await alerting.pool.query(
    `UPDATE alert_rules SET notified_at = notified_at - $2 * interval '1 minute'
      WHERE tenant_id = $1`,
    [tenant.tenantId, minutes],
  )
}

/** As if every notification that waits had been sent, or not. */
export async function settle(delivery: 'sent' | 'failed'): Promise<void> {
  await alerting.pool.query('DELETE FROM alert_notifications WHERE tenant_id = $1', [
    tenant.tenantId,
  ])
  await alerting.pool.query(
    "UPDATE alert_history SET delivery = $2 WHERE tenant_id = $1 AND delivery = 'pending'",
    [tenant.tenantId, delivery],
  )
}

export const statuses = (rows: Json[]): string[] => rows.map(({ status }) => status).reverse()
