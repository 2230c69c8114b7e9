/**
 * What follows from an endpoint's new version, once it is committed: what waits follows its mode, a circuit whose reason
 * may be gone closes, and whoever subscribes to it is told. When any of it fails the change stands all the same.
 *
 * Another destination, or another breaker, starts with a closed circuit: what failed, failed elsewhere or by other rules.
 */
import type { EventAccepted } from '@posthorn/contracts/topics'
import { circuitClosed, endpointUpdated, type Notice } from '@posthorn/domain/notices'
import type { Log } from '@posthorn/runtime/log'
import type { StateStore } from '@posthorn/state/state-store'
import type { Endpoint } from '@posthorn/store/generated/client'
import { changedFields } from './endpoint-config.ts'
import { configOf } from './endpoint-record.ts'

export type AfterChange = (before: Endpoint, after: Endpoint) => Promise<void>

export interface AfterChangeDeps {
  followMode: AfterChange
  closeCircuit: CloseCircuit
  tell: TellNotices
}

export function createAfterChange({
  followMode,
  closeCircuit,
  tell,
}: AfterChangeDeps): AfterChange {
  return async (before, after) => {
    if (after === before) return
    await followMode(before, after)
    const changes = changedFields(configOf(before), configOf(after))
    if (changes.some((field) => RESTARTING.includes(field))) await closeCircuit(after)
    const { tenantId, projectId, id: endpointId, version } = after
    if (version === before.version) return
    const endpoint = { tenantId, projectId, endpointId }
    await tell([endpointUpdated(endpoint, { version, changes, atMs: after.updatedAt.getTime() })])
  }
}

const RESTARTING = ['url', 'circuitThreshold', 'circuitResetMs', 'deliveryMode', 'storageConfig']

/** Closes an endpoint's circuit by hand, and lets go what waited for it. */
export type CloseCircuit = (endpoint: Endpoint) => Promise<void>

export interface CloseCircuitDeps {
  resetCircuit: StateStore['resetCircuit']
  /** Makes its backlog due. */
  wake(tenantId: string, endpointId: string): Promise<void>
  tell: TellNotices
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
  log: Pick<Log, 'warn'>
}

export function createCloseCircuit(deps: CloseCircuitDeps): CloseCircuit {
  return async (row) => {
    const { tenantId, projectId, id: endpointId } = row
    try {
      const { openedAt } = await deps.resetCircuit(endpointId)
      await deps.wake(tenantId, endpointId)
      if (openedAt === 0) return
      const endpoint = { tenantId, projectId, endpointId }
      const { url } = configOf(row)
      await deps.tell([circuitClosed(endpoint, { url, openedAt, closedAt: deps.now() })])
    } catch (error) {
      deps.log.warn('endpoint.circuit-not-closed', { tenantId, endpointId, error })
    }
  }
}

export type TellNotices = (notices: readonly Notice[]) => Promise<void>

export interface TellNoticesDeps {
  acceptNotices(notices: readonly Notice[]): Promise<EventAccepted[]>
  announce(events: readonly EventAccepted[]): void
  log: Pick<Log, 'warn'>
}

/** A notice that can't be told is lost; the change that it tells of can be read back. */
export function createTellNotices(deps: TellNoticesDeps): TellNotices {
  return async (notices) => {
    try {
      const accepted = await deps.acceptNotices(notices)
      if (accepted.length > 0) deps.announce(accepted)
    } catch (error) {
      deps.log.warn('notices.not-told', { types: notices.map(({ type }) => type), error })
    }
  }
}
