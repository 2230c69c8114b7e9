/**
 * The rules whose time has come, and what came of evaluating them. A rule belongs to the
 * transaction that has locked it; others skip it, so several instances share the rules and none is
 * evaluated twice at a time. State, history and notification are written in that transaction.
 */
import type { RuleEvaluation } from '@posthorn/domain/evaluate-rule'
import { newId } from '@posthorn/domain/ids'
import { anyRow } from '../any-row.ts'
import { planOf } from '../caller-tenant.ts'
import type { Pool } from '../pool.ts'
import type { TransactionClient } from '../transaction.ts'
import { type AlertRuleRow, RULE_COLUMNS } from './rule-row.ts'
import type { RuleScope } from './rules.ts'

export interface TakenRules {
  rules: TakenRule[]
  /** Postgres's time, which all instances go by; epoch ms. */
  now: number
}

export type TakenRule = AlertRuleRow & {
  /** The plan of the workspace's subscription in force; null: there is none. */
  plan: string | null
  /** It is of an endpoint that was deleted: there is no data any more, and never will be. */
  isEndpointGone: boolean
}

/** How often each rule is evaluated. */
const EVERY = `interval '10 seconds'`
/** How soon a rule is looked at again whose workspace's plan has no alerting. */
const LOOKED_AT_EVERY = `interval '1 minute'`

type TakenRow = TakenRule & { now: number }

const NOW = 'extract(epoch FROM now())::float8 * 1000 AS now'
const IS_ENDPOINT_GONE = `r.endpoint_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM endpoints n
    WHERE n.tenant_id = r.tenant_id AND n.id = r.endpoint_id AND n.deleted_at IS NULL
  ) AS "isEndpointGone"`
const COLUMNS = `${RULE_COLUMNS}, ${planOf('r.tenant_id')} AS plan, ${IS_ENDPOINT_GONE}, ${NOW}`

/** A look without a transaction. A rule that another process evaluates just now counts as well. */
export async function hasDueRules(pool: Pool): Promise<boolean> {
  return await anyRow(pool, {
    name: 'any-due-alert-rule',
    text: 'SELECT true FROM alert_rules WHERE next_eval_at <= now() LIMIT 1',
  })
}

/** Those that have waited longest come first. */
export async function takeDueRules(client: TransactionClient, limit: number): Promise<TakenRules> {
  const { rows } = await client.query<TakenRow>({
    name: 'take-due-alert-rules',
    text: `SELECT ${COLUMNS} FROM alert_rules r
      WHERE r.next_eval_at <= now() ORDER BY r.next_eval_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
    values: [limit],
  })
  return taken(rows)
}

/** The tenants of the rules that `takeDueRules` would take. */
export async function readDueTenants(client: TransactionClient, limit: number): Promise<string[]> {
  const { rows } = await client.query<{ tenantId: string }>({
    name: 'due-alert-tenants',
    text: `SELECT DISTINCT tenant_id AS "tenantId" FROM (
        SELECT tenant_id FROM alert_rules WHERE next_eval_at <= now()
        ORDER BY next_eval_at LIMIT $1
      ) r`,
    values: [limit],
  })
  return rows.map(({ tenantId }) => tenantId)
}

/** All enabled rules of a tenant; waits for whoever evaluates some of them just now. */
export async function lockEnabledRules(
  client: TransactionClient,
  { tenantId, projectId }: RuleScope,
): Promise<TakenRules> {
  const { rows } = await client.query<TakenRow>({
    name: 'lock-enabled-alert-rules',
    text: `SELECT ${COLUMNS} FROM alert_rules r
      WHERE r.tenant_id = $1 AND ($2::uuid IS NULL OR r.project_id = $2) AND r.enabled
      ORDER BY r.id FOR UPDATE`,
    values: [tenantId, projectId],
  })
  return taken(rows)
}

function taken(rows: readonly TakenRow[]): TakenRules {
  return { rules: [...rows], now: Math.round(rows[0]?.now ?? 0) }
}

/** Rules that are not evaluated for now, and stay as they are. */
export async function setRulesAside(
  client: TransactionClient,
  rules: readonly AlertRuleRow[],
): Promise<void> {
  if (rules.length === 0) return
  await client.query({
    name: 'set-alert-rules-aside',
    text: `UPDATE alert_rules r SET next_eval_at = now() + ${LOOKED_AT_EVERY}
      FROM unnest($1::uuid[], $2::uuid[]) AS i (t, id)
      WHERE r.tenant_id = i.t AND r.id = i.id AND r.enabled`,
    values: [rules.map(({ tenantId }) => tenantId), rules.map(({ id }) => id)],
  })
}

/** How late the rules are that wait to be evaluated: the age of the oldest, in seconds. */
export async function readEvaluationLag(client: TransactionClient): Promise<number> {
  const { rows } = await client.query<{ lag: number | null }>({
    name: 'evaluation-lag',
    text: `SELECT extract(epoch FROM now() - min(next_eval_at))::float8 AS lag FROM alert_rules
      WHERE next_eval_at IS NOT NULL`,
  })
  return Math.max(0, rows[0]?.lag ?? 0)
}

export interface EvaluatedRule {
  rule: AlertRuleRow
  evaluation: RuleEvaluation
  value: number | null
}

/** @param now epoch ms, as the rules were taken at */
export async function writeEvaluations(
  client: TransactionClient,
  evaluated: readonly EvaluatedRule[],
  now: number,
): Promise<void> {
  if (evaluated.length === 0) return
  const rows = evaluated.map(({ rule, evaluation, value }) => ({
    t: rule.tenantId,
    id: rule.id,
    s: evaluation.state,
    e: evaluation.episode,
    n: evaluation.notified,
    a: evaluation.notifiedAt,
    v: value,
  }))
  await client.query({ name: 'write-evaluations', text: WRITE, values: [JSON.stringify(rows)] })
  const notifications = evaluated.flatMap(({ rule, evaluation, value }) => {
    const { notification, episode } = evaluation
    return notification === null ? [] : { rule, ...notification, episode, value }
  })
  await enqueueAlerts(client, notifications, now)
}

// A rule keeps its place within the ten seconds, so that the rules stay spread over them.
const WRITE = `UPDATE alert_rules r SET state = i.s,
  state_since = CASE WHEN r.state = i.s THEN r.state_since ELSE now() END,
  episode = i.e, notified = i.n, notified_at = to_timestamp(i.a / 1000), last_value = i.v,
  last_evaluated_at = now(),
  next_eval_at = CASE WHEN r.next_eval_at + ${EVERY} > now() THEN r.next_eval_at + ${EVERY}
    ELSE now() + ${EVERY} END
FROM json_to_recordset($1::json)
  AS i (t uuid, id uuid, s text, e int, n int, a float8, v float8)
WHERE r.tenant_id = i.t AND r.id = i.id AND r.enabled`

export interface NewAlert {
  rule: AlertRuleRow
  status: 'firing' | 'resolved'
  episode: number
  sequence: number
  value: number | null
}

/** What the message of an alert says; its endpoint's URL is added where it is written. */
export interface AlertFacts {
  ruleId: string
  rule: string
  status: 'firing' | 'resolved'
  episode: number
  metric: string
  operator: string
  value: number | null
  threshold: number
  window: string
  /** RFC 3339. */
  at: string
  /** The URL of the rule's endpoint; '': the rule counts all endpoints. */
  endpoint: string
}

/**
 * Writes rows of the history with what is to be sent, by the rules as they stand: a rule is
 * rewritten or deleted after it. An episode of which nobody could be told is not told to be over.
 */
export async function enqueueAlerts(
  client: TransactionClient,
  alerts: readonly NewAlert[],
  now: number,
): Promise<void> {
  if (alerts.length === 0) return
  const rows = alerts.map(({ rule, status, episode, sequence, value }) => ({
    t: rule.tenantId,
    id: newId(),
    r: rule.id,
    s: status,
    e: episode,
    n: sequence,
    v: value,
    a: factsOf(rule, { status, episode, value, at: new Date(now).toISOString() }),
  }))
  await client.query({ name: 'enqueue-alerts', text: ENQUEUE, values: [JSON.stringify(rows)] })
}

export function factsOf(
  rule: AlertRuleRow,
  { status, episode, value, at }: Pick<AlertFacts, 'status' | 'episode' | 'value' | 'at'>,
): Omit<AlertFacts, 'endpoint'> {
  const { id: ruleId, name, metric, operator, threshold, window } = rule
  return { ruleId, rule: name, status, episode, metric, operator, value, threshold, window, at }
}

// What the rule sends goes out in its order: nothing is due before what was written ahead of it.
const ENQUEUE = `WITH input AS MATERIALIZED (
  SELECT i.*, r.name, r.project_id, r.threshold, r.action, c.id AS connector_id,
    coalesce(md5(c.id::text || ' alerts')::uuid, r.action_target, r.id) AS target,
    coalesce((SELECT e.config ->> 'url' FROM endpoints e
      WHERE e.tenant_id = r.tenant_id AND e.id = r.endpoint_id), '') AS endpoint
  FROM json_to_recordset($1::json)
    AS i (t uuid, id uuid, r uuid, s text, e int, n int, v float8, a jsonb)
  JOIN alert_rules r ON r.tenant_id = i.t AND r.id = i.r
  LEFT JOIN connectors c ON c.tenant_id = r.tenant_id AND c.name = r.connector_name
  WHERE i.s = 'firing' OR EXISTS (
    SELECT FROM alert_history h WHERE h.tenant_id = i.t AND h.rule_id = i.r AND h.episode = i.e
      AND h.status = 'firing' AND h.delivery <> 'failed')
), told AS (
  INSERT INTO alert_history (tenant_id, id, project_id, rule_id, rule_name, status, episode,
    sequence, value, threshold)
  SELECT t, id, project_id, r, name, s, e, n, v, threshold FROM input ORDER BY t, r
  ON CONFLICT (tenant_id, rule_id, episode, status, sequence) DO NOTHING
  RETURNING tenant_id, id
)
INSERT INTO alert_notifications (tenant_id, id, target, due_at, connector_id, rule_id, action,
  alert)
SELECT i.t, i.id, i.target, greatest(now(), (SELECT max(w.due_at) FROM alert_notifications w
    WHERE w.tenant_id = i.t AND w.target = i.target AND w.rule_id = i.r)),
  i.connector_id, i.r, i.action, i.a || jsonb_build_object('endpoint', i.endpoint)
FROM input i JOIN told ON told.tenant_id = i.t AND told.id = i.id`
