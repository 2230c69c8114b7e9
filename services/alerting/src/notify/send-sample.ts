/** Sends a sample of what a rule or a connector sends, at once and without retries. */
import type { NotificationTested } from '@posthorn/contracts/alerting'
import type { Handlers } from '@posthorn/http/handlers'
import { type ConnectorRow, findConnector } from '@posthorn/store/alerting/connectors'
import { factsOf } from '@posthorn/store/alerting/evaluations'
import { findRule } from '@posthorn/store/alerting/rules'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { openConfig } from '../connectors/connector-record.ts'
import { notFound } from '../refusals.ts'
import { openAction } from '../rules/rule-record.ts'
import { createShares } from '../shares.ts'
import type { SendToTarget } from '../targets/target.ts'
import { sampleOf } from './alert-message.ts'
import type { Compose, Composed, OpenConnector } from './compose.ts'
import { SEND_TIMEOUT_MS } from './deliver.ts'

export interface SendSampleDeps {
  pool: Pick<Pool, 'query'>
  seal: Pick<Seal, 'open'>
  compose: Compose
  send: SendToTarget
  /** Epoch ms. */
  now: () => number
}

type SampleHandlers = Pick<Handlers<'alerting'>, 'testAlertRule' | 'testConnector'>

/** A target that hangs takes ten seconds of each. */
const SAMPLES_AT_ONCE = 4
const SAMPLE_EVENT = { eventType: 'test', payload: '{"message":"A test of this connector"}' }

export function createSendSample(deps: SendSampleDeps): SampleHandlers {
  const shares = createShares(SAMPLES_AT_ONCE)

  async function send(tenantId: string, composed: Composed): Promise<NotificationTested> {
    const { target, notification, problem } = composed
    const options = { timeoutMs: SEND_TIMEOUT_MS, tenantId }
    const { outcome, statusCode, error } = await shares.take(tenantId, 'tests', () =>
      deps.send(target, notification, options),
    )
    const delivery = outcome === 'sent' ? 'sent' : 'failed'
    return { delivery, statusCode, error: error ?? problem }
  }

  function opened(row: ConnectorRow): OpenConnector {
    return { type: row.type, config: openConfig(deps.seal, row), template: row.template }
  }

  return {
    async testAlertRule({ caller, params }) {
      const rule = await findRule(deps.pool, caller, params['id'] ?? '')
      if (rule === null) throw notFound('alert rule')
      const at = new Date(deps.now()).toISOString()
      const facts = sampleOf(factsOf(rule, { status: 'firing', episode: 0, value: null, at }))
      if (rule.action !== null) {
        const action = openAction(deps.seal, rule, rule.action)
        return await send(caller.tenantId, deps.compose.alert(facts, { action }, 'test'))
      }
      const workspace = { tenantId: caller.tenantId, projectId: null }
      const connector = await findConnector(deps.pool, workspace, rule.connectorName ?? '')
      if (connector === null) throw notFound('connector')
      const to = { connector: opened(connector) }
      return await send(caller.tenantId, deps.compose.alert(facts, to, 'test'))
    },

    async testConnector({ caller, params }) {
      const connector = await findConnector(deps.pool, caller, params['name'] ?? '')
      if (connector === null) throw notFound('connector')
      const composed = await deps.compose.event(SAMPLE_EVENT, opened(connector), 'test')
      return await send(caller.tenantId, composed)
    },
  }
}
