/** How a tenant's endpoints are doing, worst first. */
import { MAX_HEALTH_ENDPOINTS, type EndpointHealth } from '@posthorn/contracts/analytics'
import type { Handlers } from '@posthorn/http/handlers'
import type { StateStore } from '@posthorn/state/state-store'
import { percentile } from '@posthorn/store/rollups/latency-cells'
import { readWindows, type WindowCounts } from '@posthorn/store/rollups/read-window'
import type { Pool } from '@posthorn/store/pool'
import type { WaitingCount, WaitingCounts, WaitingOf } from '../stats/waiting-counts.ts'
import { rangeOf } from './buckets.ts'
import { type AnalyticsDeps, percentOf } from './read-series.ts'

export interface EndpointHealthDeps extends AnalyticsDeps {
  state: Pick<StateStore, 'readCircuits'>
  waiting: WaitingCounts
}

type Shown = EndpointHealth['data'][number]

const HOUR_MS = 3_600_000

export function createEndpointHealth(
  deps: EndpointHealthDeps,
): Handlers<'alerting'>['getEndpointHealth'] {
  return async ({ caller: { tenantId, projectId }, query }) => {
    const now = deps.clock.now()
    const { from, to } = rangeOf(query, now)
    await deps.rollups.catchUp([tenantId])
    const endpoints = await findEndpoints(deps.pool, [
      tenantId,
      projectId,
      query.endpointId ?? null,
    ])
    const ids = endpoints.map(({ id }) => id)
    // Whole hours: the minutes of an hour are 60 rows of each endpoint.
    const window = { tenantId, projectId, from: floorHour(from), to: new Date(to) }
    const [waiting, counts, circuits] = await Promise.all([
      readWaiting(deps.waiting, { tenantId, projectId }, query.endpointId),
      readWindows(
        deps.pool,
        ids.map((endpointId) => ({ ...window, endpointId })),
        now,
      ),
      ids.length === 0 ? [] : deps.state.readCircuits(ids),
    ])
    const data = endpoints.map((endpoint, at): Shown => {
      const { id, url, status, lastSuccessAt, lastFailureAt } = endpoint
      const circuit = circuits[at]
      const isWaiting = circuit !== undefined && circuit.waitMs > 0
      return {
        endpointId: id,
        url,
        status,
        ...healthOf(counts[at] as WindowCounts),
        circuitState: circuit?.state ?? 'closed',
        openUntil: isWaiting ? new Date(now + circuit.waitMs).toISOString() : null,
        lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
        lastFailureAt: lastFailureAt?.toISOString() ?? null,
        ...(waiting.get(id) ?? { waiting: 0 }),
      }
    })
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    return { ...range, data: data.sort(worstFirst) }
  }
}

async function readWaiting(
  counts: WaitingCounts,
  of: WaitingOf,
  endpointId: string | undefined,
): Promise<ReadonlyMap<string, WaitingCount>> {
  if (endpointId === undefined) return await counts.ofAll(of)
  return new Map([[endpointId, await counts.of(of.tenantId, endpointId)]])
}

function floorHour(ms: number): Date {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS)
}

function healthOf({ succeeded, failed, latency }: WindowCounts) {
  const tried = succeeded + failed
  return {
    deliveryRate: tried === 0 ? null : percentOf(succeeded, tried),
    p95Ms: latency === null ? null : percentile(latency, 95),
  }
}

/** By circuit, by rate, by what waits; those that nothing was sent to come last. */
export function worstFirst(a: Shown, b: Shown): number {
  const byCircuit = Number(a.circuitState === 'closed') - Number(b.circuitState === 'closed')
  if (byCircuit !== 0) return byCircuit
  const byRate = (a.deliveryRate ?? 101) - (b.deliveryRate ?? 101)
  if (byRate !== 0) return byRate
  return b.waiting - a.waiting || (a.endpointId < b.endpointId ? 1 : -1)
}

interface FoundEndpoint extends Pick<Shown, 'url' | 'status'> {
  id: string
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

async function findEndpoints(
  pool: Pool,
  values: [tenantId: string, projectId: string | null, endpointId: string | null],
): Promise<FoundEndpoint[]> {
  const { rows } = await pool.query<FoundEndpoint>({ name: 'endpoint-health', text: FIND, values })
  return rows
}

const lastAt = (column: string): string => `(SELECT r.${column} FROM rollup_days r
    WHERE r.tenant_id = n.tenant_id AND r.scope_id = n.id AND r.${column} IS NOT NULL
    ORDER BY r.bucket DESC LIMIT 1)`

const FIND = `SELECT n.id, n.config ->> 'url' AS url, n.status,
  ${lastAt('last_success_at')} AS "lastSuccessAt", ${lastAt('last_failure_at')} AS "lastFailureAt"
FROM (
  SELECT * FROM endpoints
  WHERE tenant_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR project_id = $2)
    AND ($3::uuid IS NULL OR id = $3)
  ORDER BY id DESC LIMIT ${MAX_HEALTH_ENDPOINTS}
) n`
