/** The model, as a store that can be compared with others. */
import { ENDPOINT_DEFAULTS } from '@posthorn/contracts/endpoints'
import type { ComparedStore, TestTenant } from './comparison.fixture.ts'
import { createDatabase } from './model/database.ts'
import { createDirectPool } from './model/direct-pool.ts'
import type { Guard } from './model/guards.ts'
import { NO_ID } from '@posthorn/store/rollups/entries'
import type { DueRow, EndpointRow, LeaseRow, Rows, TenantRow } from './model/rows.ts'

export function createModelStore(
  tenant: TestTenant,
  without: readonly Guard[] = [],
): ComparedStore {
  const database = createDatabase(new Set(without))
  const { tables } = database
  const now = (): number => Date.now() * 1_000
  const rowsOf = <Name extends keyof Rows>(name: Name): Rows[Name][] =>
    [...tables[name].values()] as Rows[Name][]
  tables.tenants.set(tenant.tenantId, {
    id: tenant.tenantId,
    configVersion: 1,
    changedIn: 0,
  } satisfies TenantRow)
  tables.endpoints.set(tenant.subscriberId, {
    ...tenant,
    id: tenant.subscriberId,
    status: 'active',
    version: 1,
    config: { ...ENDPOINT_DEFAULTS, url: 'http://example.com/', eventTypes: ['service.*'] },
    isDeleted: false,
  } satisfies EndpointRow)

  return {
    pool: createDirectPool(database, now),
    async pass(ms) {
      for (const row of rowsOf('due') as DueRow[])
        tables.due.set(row.id, { ...row, dueAt: row.dueAt - ms * 1_000 })
      for (const row of rowsOf('leases') as LeaseRow[])
        tables.leases.set(row.name, { ...row, leasedUntil: row.leasedUntil - ms * 1_000 })
    },
    rows: async () => rowsAsText(rowsOf, now),
  }
}

/** All rows, written as the queries of `model.int.test.ts` write them. */
function rowsAsText(
  rowsOf: <Name extends keyof Rows>(name: Name) => Rows[Name][],
  now: () => number,
): Record<string, string[]> {
  return {
    events: rowsOf('events').map((row) =>
      [
        row.id,
        row.fannedOutAt !== null,
        row.open,
        row.delivering,
        row.waiting,
        row.dead,
        row.attempts,
        row.endedAt !== null,
        row.deliveredAt !== null,
        row.deadReason ?? '',
      ].join(' '),
    ),
    deliveries: rowsOf('deliveries').map((row) =>
      [
        row.id,
        row.eventId,
        row.targetId,
        row.priority,
        row.state,
        row.stateBefore,
        row.attempts,
        row.attemptsBefore,
        row.endedAt !== null,
        row.deadReason ?? '',
        row.lane ?? '',
        row.edition,
      ].join(' '),
    ),
    operational: rowsOf('operational').map((row) => [row.type, row.fact].join(' ')),
    outbox: rowsOf('outbox').map(({ endpointId, projectId, what }) =>
      [endpointId ?? NO_ID, projectId ?? NO_ID, what].join(' '),
    ),
    attempts: rowsOf('attempts').map((row) =>
      [row.id, row.deliveryId, row.attemptNumber, row.superseded].join(' '),
    ),
    due: rowsOf('due').map((row) =>
      [row.id, row.kind, row.leased, row.dueAt <= now(), row.targetId ?? ''].join(' '),
    ),
    parked: rowsOf('parked').map((row) => [row.deliveryId, row.targetId, row.priority].join(' ')),
    backlogs: rowsOf('backlogs').map((row) => [row.targetId, row.parks].join(' ')),
    lanes: rowsOf('lanes').map((row) => [row.endpointId, row.lane, row.head, row.tail].join(' ')),
    waiting: rowsOf('laneWaiting').map((row) =>
      [row.endpointId, row.lane, row.position, row.deliveryId].join(' '),
    ),
    keys: rowsOf('keys').map((row) => [row.key, row.eventId].join(' ')),
    leases: rowsOf('leases').map((row) => [row.name, row.owner].join(' ')),
  }
}
