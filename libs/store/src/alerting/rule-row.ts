/** An alert rule as it is stored, with its state. */
import type { AlertMetric, AlertOperator } from '@posthorn/domain/alert-condition'
import type { AlertState } from '@posthorn/domain/evaluate-rule'

export interface RuleSettings {
  projectId: string | null
  endpointId: string | null
  name: string
  description: string | null
  enabled: boolean
  metric: AlertMetric
  operator: AlertOperator
  threshold: number
  window: string
  windowMs: number
  cooldown: string
  cooldownMs: number
  /** Sealed; exactly one of this and the next is set. */
  action: string | null
  connectorName: string | null
  /** Actions that lead to one place have the same. */
  actionTarget: string | null
}

export interface AlertRuleRow extends RuleSettings {
  tenantId: string
  id: string
  state: AlertState
  stateSince: Date
  episode: number
  notified: number
  notifiedAt: Date | null
  lastValue: number | null
  lastEvaluatedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Columns of the table under the name `r`. */
export const RULE_COLUMNS = `r.tenant_id AS "tenantId", r.id, r.project_id AS "projectId",
  r.endpoint_id AS "endpointId", r.name, r.description, r.enabled, r.metric, r.operator,
  r.threshold, r.window_text AS "window", r.window_ms::float8 AS "windowMs",
  r.cooldown_text AS cooldown, r.cooldown_ms::float8 AS "cooldownMs", r.action,
  r.connector_name AS "connectorName", r.action_target AS "actionTarget", r.state,
  r.state_since AS "stateSince", r.episode, r.notified, r.notified_at AS "notifiedAt",
  r.last_value AS "lastValue", r.last_evaluated_at AS "lastEvaluatedAt",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`
