/** What retention sees in a day's partition before it may go (`drop-partitions.ts`). */
import { setTimeout as rest } from 'node:timers/promises'
import { type RemovedRows, RETENTION_ACTION } from './audit/record-removed.ts'
import type { RetainedKind, TenantWindow } from './retention-windows.ts'

const DAY_MS = 86_400_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** A day may have millions of rows. So many are looked at in one statement: some 20 ms. */
const LOOKED_AT_ONCE = 5_000
/** After each statement as long as it took, so that half of a processor is left. */
const MAX_REST_MS = 1_000

export type RetainedTable = 'events' | 'deliveries' | 'attempts' | 'audit_logs' | 'auth_audit_logs'

export interface Queryable {
  query<Row extends object>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>
}

export interface TablePartition {
  name: string
  table: RetainedTable
  /** For which of a tenant's windows its rows are kept. */
  kind: RetainedKind
  /** Its rows are events or belong to some, and are kept until so many days after their end. */
  hasEvents: boolean
  /** The day's first millisecond since 1970. */
  from: number
  attached: boolean
  /** A process has begun to take it out and did not finish. */
  pending: boolean
  /** It takes no row. */
  closed: boolean
}

/**
 * Whether any of its events, or any event that its rows belong to, has not ended, or ended within
 * the time that its tenant keeps events for; and if not, how many rows each tenant has there that
 * it is told of. Audit rows and sign-ins are only counted.
 *
 * All of its rows are looked at when nothing is found, page by page in the order of their key: no
 * index knows when events ended. One statement for all of them would hold its snapshot for minutes,
 * in which nothing that has become old meanwhile can be cleared away, from `due` least of all, and
 * would take a processor from whoever accepts events.
 */
export async function lookInto(
  client: Queryable,
  { name, table, kind }: TablePartition,
  windows: readonly TenantWindow[],
  now: Date,
): Promise<{ isKept: boolean; counts: RemovedRows[] }> {
  const counts = new Map<string, number>()
  const days = new Map(windows.map((window) => [window.tenantId, window[kind]]))
  const isWithin = ({ tenantId, endedAt }: LookedInto): boolean => {
    const kept = days.get(tenantId) ?? 0
    return endedAt !== null && (kept === 0 || endedAt >= now.getTime() - kept * DAY_MS)
  }
  const text = lookText(table, name)
  let after: [string, string] = [FIRST_ID, FIRST_ID]
  for (;;) {
    const startedAt = performance.now()
    const { rows } = await client.query<LookedInto>(text, after)
    if (rows.some(isWithin)) return { isKept: true, counts: [] }
    for (const { tenantId, count } of rows) {
      counts.set(tenantId, (counts.get(tenantId) ?? 0) + count)
    }
    const last = rows.at(-1)
    const looked = rows.reduce((sum, { count }) => sum + count, 0)
    if (last === undefined || looked < LOOKED_AT_ONCE) {
      return {
        isKept: false,
        counts: [...counts].map(([tenantId, count]) => ({ tenantId, count })),
      }
    }
    after = [last.tenantId, last.lastId]
    await rest(Math.min(MAX_REST_MS, performance.now() - startedAt))
  }
}

/** What a page has of one tenant. */
interface LookedInto {
  tenantId: string
  lastId: string
  count: number
  /**
   * When the last event ended, in ms; Infinity: one has not; null: all of them are gone, or the
   * rows belong to none.
   */
  endedAt: number | null
}

/** A scalar subquery, so that the event is looked up by key whatever the planner believes. */
const ENDED_AT_OF_EVENT = `(SELECT coalesce(e.ended_at, 'infinity') FROM events e
  WHERE e.tenant_id = x.tenant_id AND e.id = x.event_id)`

const ENDED_AT_IN: Readonly<Record<RetainedTable, string>> = {
  events: "coalesce(x.ended_at, 'infinity')",
  deliveries: ENDED_AT_OF_EVENT,
  attempts: ENDED_AT_OF_EVENT,
  audit_logs: 'NULL::timestamptz',
  auth_audit_logs: 'NULL::timestamptz',
}
/** Nobody is told that such a row has gone. */
const UNTOLD = `AND x.action <> '${RETENTION_ACTION}'`

const lookText = (table: RetainedTable, partition: string): string => `WITH looked AS MATERIALIZED (
    SELECT x.tenant_id, x.id, ${ENDED_AT_IN[table]} AS ended_at FROM ${partition} x
    WHERE (x.tenant_id, x.id) > ($1, $2) ${table === 'audit_logs' ? UNTOLD : ''}
    ORDER BY x.tenant_id, x.id LIMIT ${LOOKED_AT_ONCE}
  )
  SELECT tenant_id AS "tenantId", max(id::text COLLATE "C") AS "lastId", count(*)::int AS count,
    extract(epoch FROM max(ended_at))::float8 * 1000 AS "endedAt"
  FROM looked GROUP BY tenant_id ORDER BY tenant_id`
