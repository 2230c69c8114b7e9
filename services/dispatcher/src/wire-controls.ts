/**
 * What watches over endpoints and tells of them: circuits, notices, and what follows from a try that is recorded. Wired
 * for `wire.ts`; no decision is made here.
 */
import { circuitClosed, circuitOpened } from '@posthorn/domain/operational-events'
import { isUnavailable } from '@posthorn/store/pool'
import { createCircuits } from './schedule/circuits.ts'
import { createDisableGone } from './record/disable-gone.ts'
import type { AttemptResult } from './record/record-results.ts'
import { createReportAttempt } from './record/report-attempt.ts'
import type { bindStatements } from './statements.ts'
import { createPublishOperationalEvents } from './record/publish-operational-events.ts'
import type { Tenants } from './config/configuration.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'
import type { LeasedDelivery } from './delivery.ts'

export interface ControlParts {
  statements: ReturnType<typeof bindStatements>
  tenants: Tenants
  drop(work: LeasedDelivery): void
  onProbed(endpointId: string): void
  onKnown(): void
  now(): number
}

export function wireControls(
  { bus, state, clock, log, metrics }: DispatcherDeps,
  { statements, tenants, drop, onProbed, onKnown, now }: ControlParts,
) {
  const notices = createPublishOperationalEvents({
    ...statements,
    peekTenant: tenants.peekTenant,
    isUnavailable,
    log,
  })

  const circuits = createCircuits({
    state,
    peekTarget(tenantId, endpointId) {
      const tenant = tenants.peekTenant(tenantId)
      return tenant === null ? null : tenant?.endpoints.get(endpointId)?.target
    },
    readTarget: async (tenantId, endpointId) =>
      (await tenants.getTenant(tenantId))?.endpoints.get(endpointId)?.target,
    onChange(way, { tenantId, projectId }, { view, change, wasOpenedAt }) {
      if (way.endpointId === null || way.circuit === null || change === null) return
      const { endpointId, url } = way
      const { resetMs } = way.circuit
      metrics.count('posthorn_circuit_changes_total', { change })
      log.info(`circuit.${change}`, { tenantId, projectId, endpointId, failures: view.failures })
      const endpoint = { tenantId, projectId, endpointId }
      const { openedAt, failures } = view
      if (change === 'opened') {
        notices.add(circuitOpened(endpoint, { url, failures, openedAt, resetMs }))
      }
      if (change === 'closed') {
        notices.add(circuitClosed(endpoint, { url, openedAt: wasOpenedAt, closedAt: clock.now() }))
      }
    },
    onProbed,
    onKnown,
    now,
  })

  const report = createReportAttempt(log, metrics, clock.now)
  const disableGone = createDisableGone({
    ...statements,
    announceChange(tenantId) {
      tenants.invalidate(tenantId)
      bus.announce('config.changed', [{ v: 1, tenantId, what: 'endpoints' }])
    },
    log,
  })

  /** What follows from a try once it is recorded, or known not to be. */
  function onSettled(result: AttemptResult, recorded: boolean): void {
    drop(result.delivery)
    report(result, recorded)
    if (!recorded) return
    const { attempt, gone } = result
    const { endpointId, endpointVersion: version } = attempt
    if (gone && endpointId !== null && version !== null) {
      disableGone({ ...attempt, endpointId, version })
    }
  }

  return { circuits, notices, onSettled }
}
