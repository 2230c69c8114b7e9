/**
 * What a rule is set to after a request: the body's fields, and the former ones where it has none.
 */
import { createHash } from 'node:crypto'
import {
  type AlertAction,
  type CreateAlertRule,
  DEFAULT_RULE_COOLDOWN,
  type UpdateAlertRule,
} from '@posthorn/contracts/alerting'
import { windowMs } from '@posthorn/domain/alert-condition'
import { badField } from '@posthorn/http/errors'
import { findConnector } from '@posthorn/store/alerting/connectors'
import type { AlertRuleRow, RuleSettings } from '@posthorn/store/alerting/rule-row'
import { isEndpoint, type RuleScope } from '@posthorn/store/alerting/rules'
import type { Seal } from '@posthorn/store/seal'
import type { TransactionClient } from '@posthorn/store/transaction'
import { unmaskSecrets } from '../connectors/masked-secrets.ts'
import {
  type CheckTargetUrl,
  checkTemplate,
  checkUrl,
  type FindTemplateProblem,
} from '../refusals.ts'
import { openAction, sealAction } from './rule-record.ts'

export interface RuleSettingsDeps {
  seal: Seal
  checkDestination: CheckTargetUrl
  findTemplateProblem: FindTemplateProblem
}

type RuleKey = Pick<AlertRuleRow, 'tenantId' | 'id'>

export function newSettings(
  deps: RuleSettingsDeps,
  rule: RuleKey,
  projectId: string | null,
  body: CreateAlertRule,
): RuleSettings {
  const { metric, operator, value: threshold, window } = body.condition
  const cooldown = body.cooldown ?? DEFAULT_RULE_COOLDOWN
  return {
    projectId,
    endpointId: body.endpointId ?? null,
    name: body.name,
    description: body.description ?? null,
    enabled: body.enabled ?? true,
    metric,
    operator,
    threshold,
    window,
    windowMs: windowMs(window),
    cooldown,
    cooldownMs: windowMs(cooldown),
    ...(targetOf(deps, rule, body, null) ?? NO_TARGET),
  }
}

export function changedSettings(
  deps: RuleSettingsDeps,
  former: AlertRuleRow,
  body: UpdateAlertRule,
): RuleSettings {
  const { metric, operator, threshold, window } =
    body.condition === undefined ? former : { ...body.condition, threshold: body.condition.value }
  const cooldown = body.cooldown ?? former.cooldown
  const { action, connectorName, actionTarget } = former
  return {
    projectId: former.projectId,
    endpointId: body.endpointId === undefined ? former.endpointId : body.endpointId,
    name: body.name ?? former.name,
    description: body.description === undefined ? former.description : body.description,
    enabled: body.enabled ?? former.enabled,
    metric,
    operator,
    threshold,
    window,
    windowMs: windowMs(window),
    cooldown,
    cooldownMs: windowMs(cooldown),
    ...(targetOf(deps, former, body, former) ?? {
      action,
      connectorName,
      actionTarget,
    }),
  }
}

type TargetSettings = Pick<RuleSettings, 'action' | 'connectorName' | 'actionTarget'>

const NO_TARGET: TargetSettings = { action: null, connectorName: null, actionTarget: null }

/** @returns undefined: the body names no target */
function targetOf(
  deps: RuleSettingsDeps,
  rule: RuleKey,
  { action, connectorName }: Pick<UpdateAlertRule, 'action' | 'connectorName'>,
  former: AlertRuleRow | null,
): TargetSettings | undefined {
  if (typeof connectorName === 'string') {
    return { action: null, connectorName, actionTarget: null }
  }
  if (action === undefined || action === null) {
    const takesAway = action === null ? former?.action : former?.connectorName
    if (connectorName === undefined && action === undefined) return undefined
    if (takesAway === null || takesAway === undefined) return undefined
    throw badField('action', 'a rule has an action or a connectorName: one of them is needed')
  }
  const known = former?.action ?? null
  const before = known === null ? null : openAction(deps.seal, rule, known)
  const whole = checkAction(deps, action, before)
  return {
    action: sealAction(deps.seal, rule, whole),
    connectorName: null,
    actionTarget: uuidOf(addressOf(whole)),
  }
}

/** @returns the action with the secrets that came masked */
function checkAction(
  deps: RuleSettingsDeps,
  given: AlertAction,
  former: AlertAction | null,
): AlertAction {
  const unmasked = unmaskSecrets(given, former?.type === given.type ? former : null)
  if (unmasked.outcome === 'masked') {
    throw badField(`action.${unmasked.key}`, 'is masked, and not as it was shown: give it anew')
  }
  const action = unmasked.settings as unknown as AlertAction
  if (action.type === 'slack' || action.type === 'webhook') {
    checkUrl('action.webhookUrl', action.webhookUrl, deps.checkDestination)
  }
  checkTemplate('action.message', action.message, deps.findTemplateProblem)
  if (action.type === 'email') {
    checkTemplate('action.subject', action.subject, deps.findTemplateProblem)
  }
  return action
}

/** Where the notifications of an action go: they wait for one another while that is down. */
function addressOf(action: AlertAction): string {
  switch (action.type) {
    case 'slack':
    case 'webhook':
      return `${action.type} ${action.webhookUrl}`
    case 'email':
      return `email ${action.to.join(' ')}`
    case 'pagerduty':
      return `pagerduty ${action.routingKey}`
  }
}

function uuidOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Locks the connector that it names, so that it stays until the rule is written. */
export async function checkReferences(
  client: TransactionClient,
  scope: RuleScope,
  settings: Pick<RuleSettings, 'endpointId' | 'connectorName'>,
): Promise<void> {
  const { endpointId, connectorName } = settings
  if (endpointId !== null && !(await isEndpoint(client, scope, endpointId))) {
    throw badField('endpointId', 'is no endpoint of this workspace or project')
  }
  if (connectorName === null) return
  if ((await findConnector(client, scope, connectorName, 'FOR SHARE')) === null) {
    throw badField('connectorName', 'is no connector: POST /api/v1/connectors makes one')
  }
}
