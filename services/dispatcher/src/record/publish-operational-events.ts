/**
 * Tells of changes of endpoints' circuits: a log line, a metric, and an operational event where an
 * endpoint of the project subscribes to it; for everybody else that costs a look into what is
 * cached of the tenant. All other operational events are written by the transactions that they tell
 * of; a circuit changes in the state store, so its event waits in memory until Postgres has taken
 * it.
 */
import type { ReportedCircuit } from '@posthorn/domain/circuit'
import type { DueDelivery } from '@posthorn/contracts/topics'
import {
  circuitClosed,
  circuitOpened,
  type OperationalEvent,
  wantsOperationalEvent,
} from '@posthorn/domain/operational-events'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import { isUnavailable } from '@posthorn/store/pool'
import type { Configuration } from '../config/configuration.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import type { Statements } from '../statements.ts'

export interface PublishOperationalEventsDeps {
  configuration: Pick<Configuration, 'peekTenant'>
  statements: Pick<Statements, 'publishOperationalEvents'>
  metrics: Pick<Metrics, 'count'>
  /** Postgres's time in ms. */
  databaseNow(): number
  log: Pick<Log, 'info' | 'warn'>
}

export interface PublishOperationalEvents {
  circuitChanged(target: ResolvedTarget, message: DueDelivery, reported: ReportedCircuit): void
  /** Publishes again what could not be; called every second. */
  tick(): void
  idle(): Promise<void>
}

/** While Postgres is away; beyond it they are lost. */
const MAX_WAITING = 1_000

export function createPublishOperationalEvents(
  deps: PublishOperationalEventsDeps,
): PublishOperationalEvents {
  const { metrics, log } = deps
  let waiting: OperationalEvent[] = []
  let publishing: Promise<void> | undefined

  function circuitChanged(
    { endpointId, url, circuit }: ResolvedTarget,
    { tenantId, projectId }: DueDelivery,
    { view, change, wasOpenedAt }: ReportedCircuit,
  ): void {
    if (endpointId === null || circuit === null || change === null) return
    const { openedAt, failures } = view
    metrics.count('posthorn_circuit_changes_total', { change })
    log.info(`circuit.${change}`, { tenantId, projectId, endpointId, failures })
    const endpoint = { tenantId, projectId, endpointId }
    if (change === 'opened') {
      add(circuitOpened(endpoint, { url, failures, openedAt, resetMs: circuit.resetMs }))
    }
    if (change === 'closed') {
      const closedAt = deps.databaseNow()
      add(circuitClosed(endpoint, { url, openedAt: wasOpenedAt, closedAt }))
    }
  }

  function add(event: OperationalEvent): void {
    if (waiting.length >= MAX_WAITING || !isWanted(event)) return
    waiting.push(event)
    tick()
  }

  function isWanted({ tenantId, projectId, type }: OperationalEvent): boolean {
    const tenant = deps.configuration.peekTenant(tenantId)
    // The tenant is not known here: Postgres decides.
    if (tenant === undefined) return true
    return wantsOperationalEvent(tenant?.operationalEventPatterns.get(projectId) ?? [], type)
  }

  function tick(): void {
    if (publishing !== undefined || waiting.length === 0) return
    publishing = publish()
      .catch((error: unknown) => log.warn('operational-events.not-published', { error }))
      .finally(() => {
        publishing = undefined
      })
  }

  async function publish(): Promise<void> {
    // Those of this turn of the event loop go together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      try {
        await deps.statements.publishOperationalEvents(some)
      } catch (error) {
        if (isUnavailable(error)) waiting = [...some, ...waiting].slice(0, MAX_WAITING)
        throw error
      }
    }
  }

  return {
    circuitChanged,
    tick,
    async idle() {
      await publishing
    },
  }
}
