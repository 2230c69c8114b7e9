/** What is sent of a rule's form: a target that is a connector, or an action of its own. Pure. */
import type { AlertCondition } from '@posthorn/domain/alert-condition'
import { headersOf } from '../../ui/header-lines.ts'

/** The fields of the form by name; those that it does not show are missing. */
export type RuleFields = Readonly<Record<string, string>>

export type ActionType = 'slack' | 'email' | 'webhook' | 'pagerduty'
export type RuleTarget = { connectorName: string } | { action: ActionType }

type Severity = 'critical' | 'error' | 'warning' | 'info'

export function ruleBody(
  fields: RuleFields,
  condition: AlertCondition,
  target: RuleTarget,
  endpointId: string | null,
) {
  const cooldown = textOf(fields, 'cooldown')
  return {
    name: textOf(fields, 'name') ?? '',
    description: textOf(fields, 'description'),
    condition,
    endpointId,
    ...(cooldown !== null && { cooldown }),
    ...('action' in target
      ? { action: actionBody(target.action, fields), connectorName: null }
      : { connectorName: target.connectorName, action: null }),
  }
}

function actionBody(type: ActionType, fields: RuleFields) {
  const text = (name: string): string | null => textOf(fields, name)
  const message = text('message')
  switch (type) {
    case 'slack':
      return { type, webhookUrl: text('webhookUrl') ?? '', channel: text('channel'), message }
    case 'email':
      return { type, to: listOf(fields['to']), subject: text('subject'), message }
    case 'webhook':
      return {
        type,
        webhookUrl: text('webhookUrl') ?? '',
        headers: headersOf(fields['headers'] ?? ''),
        message,
      }
    case 'pagerduty':
      return {
        type,
        routingKey: text('routingKey') ?? '',
        severity: text('severity') as Severity | null,
        message,
      }
  }
}

function textOf(fields: RuleFields, name: string): string | null {
  const text = fields[name]?.trim() ?? ''
  return text === '' ? null : text
}

/** Separated by commas, spaces or lines. */
export function listOf(text = ''): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}
