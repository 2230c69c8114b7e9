/**
 * All that is written of alert rules' settings. Each function is part of the caller's transaction,
 * which has locked the rule where there is one.
 */
import type { TransactionClient } from '../transaction.ts'
import { type AlertRuleRow, RULE_COLUMNS, type RuleSettings } from './rule-row.ts'

/** null as `projectId`: rules of all projects, and of none. */
export interface RuleScope {
  tenantId: string
  projectId: string | null
}

const IN_SCOPE = 'r.tenant_id = $1 AND ($2::uuid IS NULL OR r.project_id = $2)'

/** Until the end of the transaction nobody else changes or evaluates it. */
export async function lockRule(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  id: string,
): Promise<AlertRuleRow | null> {
  const { rows } = await client.query<AlertRuleRow>({
    name: 'lock-alert-rule',
    text: `SELECT ${RULE_COLUMNS} FROM alert_rules r WHERE ${IN_SCOPE} AND r.id = $3 FOR UPDATE`,
    values: [tenantId, projectId, id],
  })
  return rows[0] ?? null
}

export async function findRule(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  id: string,
): Promise<AlertRuleRow | null> {
  const { rows } = await client.query<AlertRuleRow>({
    name: 'find-alert-rule',
    text: `SELECT ${RULE_COLUMNS} FROM alert_rules r WHERE ${IN_SCOPE} AND r.id = $3`,
    values: [tenantId, projectId, id],
  })
  return rows[0] ?? null
}

/** Newest first. */
export async function listRules(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  after: string | null,
  limit: number,
): Promise<AlertRuleRow[]> {
  const { rows } = await client.query<AlertRuleRow>({
    name: 'list-alert-rules',
    text: `SELECT ${RULE_COLUMNS} FROM alert_rules r
      WHERE ${IN_SCOPE} AND ($3::uuid IS NULL OR r.id < $3) ORDER BY r.id DESC LIMIT $4`,
    values: [tenantId, projectId, after, limit],
  })
  return rows
}

export async function insertRule(
  client: TransactionClient,
  { tenantId, id }: { tenantId: string; id: string },
  settings: RuleSettings,
): Promise<AlertRuleRow> {
  const { rows } = await client.query<AlertRuleRow>({
    name: 'insert-alert-rule',
    text: `INSERT INTO alert_rules AS r (tenant_id, id, project_id, endpoint_id, name, description,
        enabled, metric, operator, threshold, window_text, window_ms, cooldown_text, cooldown_ms,
        action, connector_name, action_target, next_eval_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
        CASE WHEN $7 THEN now() END)
      RETURNING ${RULE_COLUMNS}`,
    values: [tenantId, id, ...valuesOf(settings)],
  })
  return rows[0] as AlertRuleRow
}

/** It starts in `ok`, as if it were new: an episode that was under way has been closed before. */
export async function rewriteRule(
  client: TransactionClient,
  { tenantId, id }: { tenantId: string; id: string },
  settings: RuleSettings,
): Promise<AlertRuleRow> {
  const { rows } = await client.query<AlertRuleRow>({
    name: 'rewrite-alert-rule',
    text: `UPDATE alert_rules r SET project_id = $3, endpoint_id = $4, name = $5, description = $6,
        enabled = $7, metric = $8, operator = $9, threshold = $10, window_text = $11,
        window_ms = $12, cooldown_text = $13, cooldown_ms = $14, action = $15,
        connector_name = $16, action_target = $17, state = 'ok',
        state_since = CASE WHEN state = 'ok' THEN state_since ELSE now() END, notified = 0,
        notified_at = NULL, last_value = NULL, last_evaluated_at = NULL,
        next_eval_at = CASE WHEN $7 THEN now() END, updated_at = now()
      WHERE r.tenant_id = $1 AND r.id = $2
      RETURNING ${RULE_COLUMNS}`,
    values: [tenantId, id, ...valuesOf(settings)],
  })
  return rows[0] as AlertRuleRow
}

export async function deleteRule(
  client: TransactionClient,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  await client.query({
    name: 'delete-alert-rule',
    text: 'DELETE FROM alert_rules WHERE tenant_id = $1 AND id = $2',
    values: [tenantId, id],
  })
}

/**
 * Locks the tenant's row first, so that of transactions that add rules at once each counts what
 * those before it added.
 */
export async function countRules(client: TransactionClient, tenantId: string): Promise<number> {
  await client.query({
    name: 'lock-tenant',
    text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
    values: [tenantId],
  })
  const { rows } = await client.query<{ n: number }>({
    name: 'count-alert-rules',
    text: 'SELECT count(*)::int AS n FROM alert_rules WHERE tenant_id = $1',
    values: [tenantId],
  })
  return rows[0]?.n ?? 0
}

/** Whether the endpoint is there, and in the project where one is named. */
export async function isEndpoint(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
  endpointId: string,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'is-endpoint',
    text: `SELECT FROM endpoints r WHERE ${IN_SCOPE} AND r.id = $3 AND r.deleted_at IS NULL`,
    values: [tenantId, projectId, endpointId],
  })
  return rowCount === 1
}

function valuesOf(settings: RuleSettings): unknown[] {
  return [
    settings.projectId,
    settings.endpointId,
    settings.name,
    settings.description,
    settings.enabled,
    settings.metric,
    settings.operator,
    settings.threshold,
    settings.window,
    settings.windowMs,
    settings.cooldown,
    settings.cooldownMs,
    settings.action,
    settings.connectorName,
    settings.actionTarget,
  ]
}
