/** An alert rule as the API shows it, and its action as it is stored. */
import type { AlertAction, AlertRule, ShownAction } from '@posthorn/contracts/alerting'
import { conditionText } from '@posthorn/domain/alert-condition'
import type { AlertRuleRow } from '@posthorn/store/alerting/rule-row'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { maskSecrets } from '../connectors/masked-secrets.ts'

type RuleKey = Pick<AlertRuleRow, 'tenantId' | 'id'>

export function actionAt({ tenantId, id }: RuleKey): SealedPlace {
  return sealedAt('alert_rules.action', tenantId, id)
}

export function sealAction(seal: Pick<Seal, 'seal'>, rule: RuleKey, action: AlertAction): string {
  return seal.seal(JSON.stringify(action), actionAt(rule))
}

/** @param sealed as the rule had it, then or now */
export function openAction(seal: Pick<Seal, 'open'>, rule: RuleKey, sealed: string): AlertAction {
  return JSON.parse(seal.open(sealed, actionAt(rule))) as AlertAction
}

export function toAlertRule(row: AlertRuleRow, seal: Pick<Seal, 'open'>): AlertRule {
  const { metric, operator, threshold: value, window } = row
  const condition = { metric, operator, value, window }
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    condition,
    conditionText: conditionText(condition),
    action: row.action === null ? null : shown(openAction(seal, row, row.action)),
    connectorName: row.connectorName,
    cooldown: row.cooldown,
    endpointId: row.endpointId,
    state: row.state,
    stateSince: row.stateSince.toISOString(),
    lastValue: row.lastValue,
    lastEvaluatedAt: row.lastEvaluatedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function shown(action: AlertAction): ShownAction {
  const masked = maskSecrets(action)
  const message = masked.message ?? null
  switch (masked.type) {
    case 'slack':
      return { ...masked, channel: masked.channel ?? null, message }
    case 'email':
      return { ...masked, subject: masked.subject ?? null, message }
    case 'webhook':
      return { ...masked, headers: masked.headers ?? null, message }
    case 'pagerduty':
      return { ...masked, severity: masked.severity ?? null, message }
  }
}
