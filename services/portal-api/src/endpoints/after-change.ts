/**
 * What follows from a new version of an endpoint. An operational event about it is written in the
 * same transaction. After the commit, waiting deliveries are moved if the delivery mode has
 * changed, and the circuit is closed if the reason for its failures may be gone. When that fails,
 * the change itself stands.
 *
 * A new destination or new breaker settings start with a closed circuit, because earlier failures
 * happened elsewhere or by other rules.
 */
import {
  circuitClosed,
  endpointUpdated,
  type OperationalEvent,
} from '@posthorn/domain/operational-events'
import type { Log } from '@posthorn/runtime/log'
import type { StateStore } from '@posthorn/state/state-store'
import type { Endpoint } from '@posthorn/store/generated/client'
import { writeOperationalEvents } from '@posthorn/store/pipeline/operational-events'
import type { Transaction } from '@posthorn/store/prisma'
import { changedFields } from './endpoint-config.ts'
import { configOf } from './endpoint-record.ts'

export type AfterChange = (before: Endpoint, after: Endpoint) => Promise<void>

export interface AfterChangeDeps {
  followMode: AfterChange
  closeCircuit: CloseCircuit
}

export function createAfterChange({ followMode, closeCircuit }: AfterChangeDeps): AfterChange {
  return async (before, after) => {
    if (after === before) return
    await followMode(before, after)
    const changes = changedFields(configOf(before), configOf(after))
    if (changes.some((field) => RESTARTING.includes(field))) await closeCircuit(after)
  }
}

const RESTARTING = ['url', 'circuitThreshold', 'circuitResetMs', 'deliveryMode', 'storageConfig']

/** Closes an endpoint's circuit on request, and releases what waited for it. */
export type CloseCircuit = (endpoint: Endpoint) => Promise<void>

export interface CloseCircuitDeps {
  resetCircuit: StateStore['resetCircuit']
  /** Makes the endpoint's backlog due. */
  wake(tenantId: string, endpointId: string): Promise<void>
  publish: PublishEndpointEvents
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
      await deps.publish([circuitClosed(endpoint, { url, openedAt, closedAt: deps.now() })])
    } catch (error) {
      deps.log.warn('endpoint.circuit-not-closed', { tenantId, endpointId, error })
    }
  }
}

export type PublishEndpointEvents = (events: readonly OperationalEvent[]) => Promise<void>

/** Writes the operational event in the transaction that makes a version of the endpoint. */
export async function publishUpdated(
  transaction: Pick<Transaction, '$executeRawUnsafe'>,
  { tenantId, projectId, id: endpointId, version, updatedAt }: Endpoint,
  changes: readonly string[],
): Promise<void> {
  const endpoint = { tenantId, projectId, endpointId }
  await writeOperationalEvents(
    (text, rows) => transaction.$executeRawUnsafe(text, rows),
    [endpointUpdated(endpoint, { version, changes, atMs: updatedAt.getTime() })],
  )
}
