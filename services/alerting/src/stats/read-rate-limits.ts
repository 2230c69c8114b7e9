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

export interface ReadRateLimitsDeps {
  pool: Pool
  state: Pick<StateStore, 'readTokens' | 'readRecent'>
  clock: { now(): number }
}

export type RateLimitHandlers = Pick<Handlers<'alerting'>, 'getRateLimits' | 'getEndpointRateLimit'>

export function createRateLimitHandlers(deps: ReadRateLimitsDeps): RateLimitHandlers {
  return {
    async getRateLimits({ caller }) {
      const [keys, endpoints] = await Promise.all([
        findKeys(deps.pool, caller),
        findEndpoints(deps.pool, caller, null),
      ])
      return {
        apiKeys: await showKeys(deps, keys),
        endpoints: await showEndpoints(deps, caller, endpoints),
      }
    },
    async getEndpointRateLimit({ caller, params }) {
      const found = await findEndpoints(deps.pool, caller, params['endpointId'] as string)
      const [shown] = await showEndpoints(deps, caller, found)
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
  waiting: number
}

async function showEndpoints(
  { state }: ReadRateLimitsDeps,
  { plan }: Pick<Caller, 'plan'>,
  endpoints: readonly FoundEndpoint[],
) {
  const limited = endpoints.flatMap(({ id, rate }) => {
    const perSecond = effectiveRate(rate, plan)
    return perSecond > 0 ? [{ id, perSecond }] : []
  })
  const left = await state.readTokens(
    limited.map(({ id, perSecond }) => ({ key: `rate:${id}`, perSecond, of: 'deliveries' })),
  )
  const byEndpoint = new Map(limited.map((one, at) => [one.id, { ...one, ...left[at] }]))
  return endpoints.map(({ id, waiting }) => {
    const found = byEndpoint.get(id)
    const [limitPerSec, availableTokens] = [found?.perSecond ?? null, found?.tokens ?? null]
    return { id, limitPerSec, availableTokens, waiting }
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

const FIND_ENDPOINTS = `SELECT n.id, n.rate, w.waiting
FROM (
  SELECT tenant_id, id, coalesce((config ->> 'rateLimitPerSec')::int, 0) AS rate FROM endpoints
  WHERE tenant_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR project_id = $2)
    AND ($3::uuid IS NULL OR id = $3)
  ORDER BY id DESC LIMIT ${MAX_RATE_LIMITS}
) n CROSS JOIN LATERAL (
  SELECT count(*)::int AS waiting
  FROM (
    SELECT FROM parked p WHERE p.tenant_id = n.tenant_id AND p.target_id = n.id
    LIMIT ${MAX_COUNTED}
  ) p
) w`
