/**
 * What happened in windows of time, summed up from the rollups.
 *
 * A window begins at the minute that `from` is in, and ends before `to`. It is put together from
 * the largest rows that fit: days, the hours on both sides of them, and minutes at its ends.
 * Minutes are kept for a day (`remove-old-rollups.ts`): an end that is older than 25 hours is exact
 * to the hour instead. An end in the present takes the rows of the present hour, for nothing in
 * them is later.
 */
import type { TransactionClient } from '../transaction.ts'
import { selectivityHint } from '../pipeline/sql/selectivity-hint.ts'
import { CELLS } from './latency-cells.ts'

export interface WindowQuery {
  tenantId: string
  /** An endpoint is of one project: with an endpoint, this is not looked at. */
  projectId: string | null
  /** Both null: the whole tenant. */
  endpointId: string | null
  from: Date
  to: Date
}

export interface WindowCounts {
  /** Events; of an endpoint: the deliveries that were made for it. */
  accepted: number
  /** What was delivered: by an attempt, or without one (`acknowledged`). */
  succeeded: number
  /** Those delivered without an attempt: acknowledged after a poll, or without any subscriber. */
  acknowledged: number
  /** Attempts that failed, whatever became of the delivery. */
  failed: number
  timeouts: number
  /** What ended dead, by an attempt or without one. */
  dead: number
  failures: FailureCounts
  /** Attempts by latency (`latency-cells.ts`); null: there were none. */
  latency: number[] | null
}

export const FAILURES = [
  'timeout',
  'http_4xx',
  'http_5xx',
  'dns',
  'tls',
  'refused',
  'other',
] as const
export type FailureCounts = Record<(typeof FAILURES)[number], number>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** An hour less than they are kept, so that no clock and no late removal matters. */
const MINUTES_READ_MS = 25 * HOUR_MS

export type Grain = 'minutes' | 'hours' | 'days'

export interface Segment {
  grain: Grain
  /** Epoch ms of the first bucket. */
  from: number
  /** Epoch ms; exclusive. */
  to: number
}

/**
 * Answers one for each query, in their order.
 * @param client one statement at a time is sent, so that it may be that of a transaction
 */
export async function readWindows(
  client: TransactionClient,
  queries: readonly WindowQuery[],
  now = Date.now(),
): Promise<WindowCounts[]> {
  const totals = queries.map(() => emptyCounts())
  const byGrain: Record<Grain, Part[]> = { minutes: [], hours: [], days: [] }
  for (const [at, { tenantId, projectId, endpointId, from, to }] of queries.entries()) {
    const scopeId = endpointId ?? projectId ?? tenantId
    for (const { grain, ...span } of segmentsOf(from.getTime(), to.getTime(), now)) {
      byGrain[grain].push({ at, tenantId, scopeId, ...span })
    }
  }
  for (const [grain, parts] of Object.entries(byGrain)) {
    if (parts.length > 0) await addParts(client, grain as Grain, parts, totals)
  }
  return totals
}

export function segmentsOf(from: number, to: number, now: number): Segment[] {
  const hasMinutes = now - MINUTES_READ_MS
  const start = from >= hasMinutes ? floor(from, MINUTE_MS) : floor(from, HOUR_MS)
  // The present hour's row holds nothing later than now, and spares reading its minutes.
  const isPresent = to > now - MINUTE_MS
  const end = to >= hasMinutes && !isPresent ? ceil(to, MINUTE_MS) : ceil(to, HOUR_MS)
  if (end <= start) return []
  const firstHour = ceil(start, HOUR_MS)
  const lastHour = floor(end, HOUR_MS)
  if (firstHour > lastHour) return [{ grain: 'minutes', from: start, to: end }]
  const firstDay = ceil(firstHour, DAY_MS)
  const lastDay = floor(lastHour, DAY_MS)
  const middle: Segment[] =
    firstDay >= lastDay
      ? [{ grain: 'hours', from: firstHour, to: lastHour }]
      : [
          { grain: 'hours', from: firstHour, to: firstDay },
          { grain: 'days', from: firstDay, to: lastDay },
          { grain: 'hours', from: lastDay, to: lastHour },
        ]
  return (
    [
      { grain: 'minutes', from: start, to: firstHour },
      ...middle,
      { grain: 'minutes', from: lastHour, to: end },
    ] satisfies Segment[]
  ).filter((segment) => segment.from < segment.to)
}

function floor(ms: number, unit: number): number {
  return Math.floor(ms / unit) * unit
}

function ceil(ms: number, unit: number): number {
  return Math.ceil(ms / unit) * unit
}

interface Part {
  /** The place of its query. */
  at: number
  tenantId: string
  scopeId: string
  from: number
  to: number
}

type PartRow = Record<'at' | 'accepted' | 'succeeded' | 'acknowledged' | 'dead', number> &
  FailureCounts & { first: number | null; latency: (number | null)[] | null }

async function addParts(
  client: TransactionClient,
  grain: Grain,
  parts: readonly Part[],
  totals: WindowCounts[],
): Promise<void> {
  const { rows } = await client.query<PartRow>({
    name: `read-rollup-${grain}`,
    text: readText(grain),
    values: [
      parts.map(({ at }) => at),
      parts.map(({ tenantId }) => tenantId),
      parts.map(({ scopeId }) => scopeId),
      parts.map(({ from }) => new Date(from).toISOString()),
      parts.map(({ to }) => new Date(to).toISOString()),
    ],
  })
  for (const row of rows) addTo(totals[row.at] as WindowCounts, row)
}

const SUMS = ['accepted', 'succeeded', 'acknowledged', 'dead', ...FAILURES]
  .map((column) => `sum(${column})::float8 AS ${column}`)
  .join(', ')

// Parts are summed up one by one: a part without rows then has a row of nulls, and is left out.
const readText = (grain: Grain): string => `SELECT i.at, c.*
  FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
    AS i (at, tenant_id, scope_id, starts, ends)
  CROSS JOIN LATERAL (
    SELECT ${SUMS}, array_lower(sum_cells(latency), 1) AS first, sum_cells(latency) AS latency
    FROM rollup_${grain} r
    WHERE r.tenant_id = i.tenant_id AND r.scope_id = i.scope_id
      AND r.bucket >= i.starts AND r.bucket < i.ends
  ) c
  WHERE c.accepted IS NOT NULL AND ${selectivityHint('i.at')}`

function emptyCounts(): WindowCounts {
  const failures = Object.fromEntries(FAILURES.map((one) => [one, 0])) as FailureCounts
  return {
    accepted: 0,
    succeeded: 0,
    acknowledged: 0,
    failed: 0,
    timeouts: 0,
    dead: 0,
    failures,
    latency: null,
  }
}

function addTo(total: WindowCounts, row: PartRow): void {
  total.accepted += row.accepted
  total.succeeded += row.succeeded + row.acknowledged
  total.acknowledged += row.acknowledged
  total.dead += row.dead
  total.timeouts += row.timeout
  for (const one of FAILURES) {
    total.failures[one] += row[one]
    total.failed += row[one]
  }
  if (row.latency === null) return
  total.latency ??= Array.from({ length: CELLS }, () => 0)
  for (const [at, count] of row.latency.entries()) {
    const cell = at + (row.first ?? 0)
    total.latency[cell] = (total.latency[cell] ?? 0) + (count ?? 0)
  }
}
