/** Sends one notification that waits, and says what came of it. */
import { hasFeature, type PlanName, planNamed } from '@posthorn/domain/plans'
import type { Log } from '@posthorn/runtime/log'
import { type ConnectorRow, findConnectorById } from '@posthorn/store/alerting/connectors'
import {
  readEventForNotification,
  type WaitingNotification,
  wasFiringSent,
} from '@posthorn/store/alerting/notifications'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { openConfig } from '../connectors/connector-record.ts'
import { openAction } from '../rules/rule-record.ts'
import type { SendToTarget, TargetType } from '../targets/target.ts'
import type { Compose, Composed, OpenConnector } from './compose.ts'

export interface DeliverDeps {
  pool: Pick<Pool, 'query'>
  seal: Pick<Seal, 'open'>
  compose: Compose
  send: SendToTarget
  log: Pick<Log, 'info' | 'warn'>
}

export interface Delivered {
  type: TargetType | 'none'
  /** `dropped`: nobody needs it any more; `put-off`: it was not attempted. */
  outcome: 'sent' | 'retry' | 'put-off' | 'failed' | 'dropped'
  error: string | null
  retryAfterMs: number | null
}

/** Chat services answer within a second. */
export const SEND_TIMEOUT_MS = 10_000

export interface DeliverConfig {
  /** The plan of workspaces without a subscription. */
  defaultPlan: PlanName
}

export function createDeliver(
  { defaultPlan }: DeliverConfig,
  deps: DeliverDeps,
): (waiting: WaitingNotification) => Promise<Delivered> {
  async function composeAlert(waiting: WaitingNotification): Promise<Composed | Delivered> {
    const { tenantId, action, alert, ruleId, connectorId } = waiting
    if (alert === null || ruleId === null) return gone('dropped', 'it says nothing')
    const { status, episode } = alert
    if (status === 'resolved' && !(await wasFiringSent(deps.pool, tenantId, ruleId, episode))) {
      return gone('failed', 'that it fired could not be sent, so that it resolved was not')
    }
    if (action !== null) {
      const opened = openAction(deps.seal, { tenantId, id: ruleId }, action)
      return deps.compose.alert(alert, { action: opened })
    }
    const connector = await find(tenantId, connectorId)
    if (connector === null) return gone('failed', 'the connector that the rule names is gone')
    return deps.compose.alert(alert, { connector: opened(connector) })
  }

  async function composeEvent(
    { tenantId, connectorId }: WaitingNotification,
    eventId: string,
  ): Promise<Composed | Delivered> {
    const connector = await find(tenantId, connectorId)
    if (connector === null) return gone('dropped', 'the connector is gone')
    if (!hasFeature(planNamed(connector.plan, defaultPlan), 'alerting')) {
      return gone('dropped', "the workspace's plan has no alerting")
    }
    const event = await readEventForNotification(deps.pool, tenantId, eventId)
    if (event === null) return gone('dropped', 'the event is gone')
    return await deps.compose.event(event, opened(connector))
  }

  async function find(tenantId: string, id: string | null) {
    return id === null ? null : await findConnectorById(deps.pool, tenantId, id)
  }

  function opened(row: ConnectorRow): OpenConnector {
    return { type: row.type, config: openConfig(deps.seal, row), template: row.template }
  }

  return async (waiting) => {
    const { tenantId, id, eventId } = waiting
    const composed =
      eventId === null ? await composeAlert(waiting) : await composeEvent(waiting, eventId)
    if ('outcome' in composed) return composed
    const { target, notification, problem } = composed
    const result = await deps.send(
      target,
      { ...notification, id },
      { timeoutMs: SEND_TIMEOUT_MS, tenantId },
    )
    const { retryAfterMs, isPutOff } = result
    const outcome = isPutOff === true ? 'put-off' : result.outcome
    return { type: target.type, outcome, error: result.error ?? problem, retryAfterMs }
  }
}

function gone(outcome: 'failed' | 'dropped', error: string): Delivered {
  return { type: 'none', outcome, error, retryAfterMs: null }
}
