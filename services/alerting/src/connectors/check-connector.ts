/** What a connector's settings must be beyond what the body's schema says. */
import type {
  ConnectorTemplate,
  ConnectorType,
  connectorConfigs,
} from '@posthorn/contracts/connectors'
import { badField } from '@posthorn/http/errors'
import { refusal } from '@posthorn/http/refusal'
import {
  type CheckTargetUrl,
  checkTemplate,
  checkUrl,
  type FindTemplateProblem,
} from '../refusals.ts'
import type { ConnectorConfig } from './connector-record.ts'
import { unmaskSecrets } from './masked-secrets.ts'

export interface CheckConnectorDeps {
  /** The schema of each type's settings. */
  configs: ReturnType<typeof connectorConfigs>
  checkDestination: CheckTargetUrl
  findTemplateProblem: FindTemplateProblem
}

/**
 * The settings after a request: those given, the former ones where it has none, and without those
 * that it takes away.
 * @param former null: the connector is made by the request
 */
export function checkConfig(
  deps: CheckConnectorDeps,
  type: ConnectorType,
  given: ConnectorConfig,
  former: ConnectorConfig | null,
): ConnectorConfig {
  const unmasked = unmaskSecrets(given, former)
  if (unmasked.outcome === 'masked') {
    throw badField(`config.${unmasked.key}`, 'is masked, and not as it was shown: give it anew')
  }
  const merged = Object.entries({ ...former, ...unmasked.settings })
  const config = Object.fromEntries(merged.filter(([, value]) => value !== null))
  refuseInheritedPassword(config, given, former)
  const parsed = deps.configs[type].safeParse(config)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: ['config', ...path].join('.'),
      message,
    }))
    throw refusal('BAD_REQUEST', 'the body', problems)
  }
  checkWayOut(deps.checkDestination, parsed.data)
  return parsed.data
}

/**
 * A password goes to the server that it was given for. Whoever may change the connector may not
 * know it, and would have it told to a server of their own.
 */
function refuseInheritedPassword(
  { smtpHost, smtpPassword }: ConnectorConfig,
  given: ConnectorConfig,
  former: ConnectorConfig | null,
): void {
  if (former?.['smtpPassword'] === undefined || smtpHost === former['smtpHost']) return
  if (smtpPassword === undefined || given['smtpPassword'] === smtpPassword) return
  throw badField('config.smtpPassword', 'belongs to another smtpHost: give it anew')
}

function checkWayOut(checkDestination: CheckTargetUrl, config: ConnectorConfig): void {
  const { webhookUrl, url, smtpHost } = config
  if (typeof webhookUrl === 'string') checkUrl('config.webhookUrl', webhookUrl, checkDestination)
  if (typeof url === 'string') checkUrl('config.url', url, checkDestination)
  if (typeof smtpHost !== 'string') return
  // An address of IPv6 stands in brackets in a URL.
  const host = smtpHost.includes(':') ? `[${smtpHost}]` : smtpHost
  checkUrl('config.smtpHost', `https://${host}/`, checkDestination)
}

const TEMPLATE_FIELDS = ['title', 'text', 'color'] as const

/** @param given undefined: it stays as it is; null: there is none any more */
export function checkConnectorTemplate(
  { findTemplateProblem }: CheckConnectorDeps,
  given: ConnectorTemplate | null | undefined,
  former: ConnectorTemplate | null,
): ConnectorTemplate | null {
  if (given === undefined) return former
  if (given === null) return null
  for (const field of TEMPLATE_FIELDS) {
    checkTemplate(`template.${field}`, given[field], findTemplateProblem)
  }
  return { ...former, ...given }
}
