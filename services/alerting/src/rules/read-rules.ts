/** Reads alert rules, and what they notified of. */
import type { AlertHistoryItem } from '@posthorn/contracts/alerting'
import { isUuid } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import { decodeCursor, toPage } from '@posthorn/http/page'
import { findRule, listRules, type RuleScope } from '@posthorn/store/alerting/rules'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { notFound } from '../refusals.ts'
import { toAlertRule } from './rule-record.ts'

export interface ReadRulesDeps {
  pool: Pick<Pool, 'query'>
  seal: Pick<Seal, 'open'>
}

type ReadHandlers = Pick<
  Handlers<'alerting'>,
  'listAlertRules' | 'getAlertRule' | 'listAlertHistory'
>

export function createReadRules({ pool, seal }: ReadRulesDeps): ReadHandlers {
  return {
    async listAlertRules({ caller, query }) {
      const after = decodeCursor(query.cursor)
      const rows = await listRules(pool, caller, after, query.limit + 1)
      return toPage(rows, query.limit, (row) => toAlertRule(row, seal))
    },
    async getAlertRule({ caller, params }) {
      const row = await findRule(pool, caller, params['id'] ?? '')
      if (row === null) throw notFound('alert rule')
      return toAlertRule(row, seal)
    },
    async listAlertHistory({ caller, query }) {
      const { ruleId = null, limit } = query
      // A rule that is deleted still has a history, so an id that nobody has is none that is wrong.
      const isNone = ruleId !== null && !isUuid(ruleId)
      const after = decodeCursor(query.cursor)
      const rows = isNone ? [] : await readHistory(pool, caller, ruleId, after, limit + 1)
      return toPage(rows, limit, ({ at, ...row }) => ({ ...row, at: at.toISOString() }))
    },
  }
}

type HistoryRow = Omit<AlertHistoryItem, 'at'> & { at: Date }

/** A statement for each way to narrow the list, each with an index of its own. */
async function readHistory(
  pool: Pick<Pool, 'query'>,
  { tenantId, projectId }: RuleScope,
  ruleId: string | null,
  after: string | null,
  limit: number,
): Promise<HistoryRow[]> {
  const conditions = ['tenant_id = $1', '($2::uuid IS NULL OR id < $2)']
  const values: unknown[] = [tenantId, after, limit]
  for (const [column, value] of [
    ['rule_id', ruleId],
    ['project_id', projectId],
  ] as const) {
    if (value === null) continue
    values.push(value)
    conditions.push(`${column} = $${values.length}`)
  }
  const { rows } = await pool.query<HistoryRow>({
    name: `read-alert-history ${ruleId !== null} ${projectId !== null}`,
    text: `SELECT id, rule_id AS "ruleId", rule_name AS "ruleName", status, value, threshold, at,
        delivery, attempts, error
      FROM alert_history WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $3`,
    values,
  })
  return rows
}
