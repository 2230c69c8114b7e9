/**
 * How much of their rate limits API keys and endpoints have left. Looking takes no token: buckets
 * are read, not asked. Of each the newest thousand are told.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { MAX_COUNTED, MAX_RATE_LIMITS } from '@posthorn/contracts/stats'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import { effectiveRate } from '@posthorn/domain/plans'
import { throttledKey } from '@posthorn/state/recent-counts'
import type { StateStore } from '@posthorn/state/state-store'
import type { Pool } from '@posthorn/store/pool'
import type { WaitingCount, WaitingCounts } from './waiting-counts.ts'

export interface ReadRateLimitsDeps {
  pool: Pool
  state: Pick<StateStore, 'readTokens' | 'readRecent'>
  clock: { now(): number }
  waiting: WaitingCounts
}

export type RateLimitHandlers = Pick<Handlers<'alerting'>, 'getRateLimits' | 'getEndpointRateLimit'>

export function createRateLimitHandlers(deps: ReadRateLimitsDeps): RateLimitHandlers {
  return {
    async getRateLimits({ caller }) {
      const [keys, endpoints, waiting] = await Promise.all([
        findKeys(deps.pool, caller),
        findEndpoints(deps.pool, caller, null),
        deps.waiting.ofAll(caller),
      ])
      return {
        apiKeys: await showKeys(deps, keys),
        endpoints: await showEndpoints(deps, caller, { endpoints, waiting }),
      }
    },
    async getEndpointRateLimit({ caller, params }) {
      const endpointId = params['endpointId'] as string
      const endpoints = await findEndpoints(deps.pool, caller, endpointId)
      const counted = await deps.waiting.of(caller.tenantId, endpointId)
      const waiting = new Map([[endpointId, counted]])
      const [shown] = await showEndpoints(deps, caller, { endpoints, waiting })
      if (shown === undefined) throw new ApiError('NOT_FOUND', 'no such endpoint')
      const [throttled = 0] = await deps.state.readRecent([throttledKey(shown.id)])
      return { ...shown, throttledLastMinute: Math.min(throttled, MAX_COUNTED) }
    },
  }
}

interface FoundKey {
  id: string
  name: string
  limit: number | null
}

async function showKeys({ state, clock }: ReadRateLimitsDeps, keys: readonly FoundKey[]) {
  const limited = keys.flatMap(({ id, limit }) => (limit === null ? [] : [{ id, limit }]))
  const left = await state.readTokens(
    limited.map(({ id, limit }) => ({ key: `api-key:${id}`, perSecond: limit, of: 'requests' })),
  )
  const now = clock.now()
  const byKey = new Map(limited.map(({ id }, at) => [id, left[at]]))
  return keys.map((key) => {
    const tokens = byKey.get(key.id)
    return {
      ...key,
      remaining: tokens?.tokens ?? null,
      resetAt: tokens === undefined ? null : new Date(now + tokens.resetMs).toISOString(),
    }
  })
}

interface FoundEndpoint {
  id: string
  /** As it is configured; 0: no limit. */
  rate: number
}

interface FoundEndpoints {
  endpoints: readonly FoundEndpoint[]
  waiting: ReadonlyMap<string, WaitingCount>
}

async function showEndpoints(
  { state }: ReadRateLimitsDeps,
  { plan }: Pick<Caller, 'plan'>,
  { endpoints, waiting }: FoundEndpoints,
) {
  const limited = endpoints.flatMap(({ id, rate }) => {
    const perSecond = effectiveRate(rate, plan)
    return perSecond > 0 ? [{ id, perSecond }] : []
  })
  const left = await state.readTokens(
    limited.map(({ id, perSecond }) => ({ key: `rate:${id}`, perSecond, of: 'deliveries' })),
  )
  const byEndpoint = new Map(limited.map((one, at) => [one.id, { ...one, ...left[at] }]))
  return endpoints.map(({ id }) => {
    const found = byEndpoint.get(id)
    const [limitPerSec, availableTokens] = [found?.perSecond ?? null, found?.tokens ?? null]
    return { id, limitPerSec, availableTokens, ...(waiting.get(id) ?? { waiting: 0 }) }
  })
}

async function findKeys(
  pool: Pool,
  { tenantId, projectId }: Pick<Caller, 'tenantId' | 'projectId'>,
): Promise<FoundKey[]> {
  const { rows } = await pool.query<FoundKey>({
    name: 'rate-limited-keys',
    text: `SELECT id, name, rate_limit AS "limit" FROM api_keys
      WHERE tenant_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        AND ($2::uuid IS NULL OR project_id = $2)
      ORDER BY id DESC LIMIT ${MAX_RATE_LIMITS}`,
    values: [tenantId, projectId],
  })
  return rows
}

async function findEndpoints(
  pool: Pool,
  { tenantId, projectId }: Pick<Caller, 'tenantId' | 'projectId'>,
  endpointId: string | null,
): Promise<FoundEndpoint[]> {
  const { rows } = await pool.query<FoundEndpoint>({
    name: 'rate-limited-endpoints',
    text: FIND_ENDPOINTS,
    values: [tenantId, projectId, endpointId],
  })
  return rows
}

const FIND_ENDPOINTS = `SELECT id, coalesce((config ->> 'rateLimitPerSec')::int, 0) AS rate
FROM endpoints
WHERE tenant_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR project_id = $2)
  AND ($3::uuid IS NULL OR id = $3)
ORDER BY id DESC LIMIT ${MAX_RATE_LIMITS}`
