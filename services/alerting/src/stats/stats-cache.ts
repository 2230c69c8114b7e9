/**
 * Stats of tenants, each read once a second at most, however many ask. Those that are asked for in
 * one turn of the event loop are read together.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Stats } from '@posthorn/contracts/stats'

export interface StatsCache {
  get(tenantId: string): Promise<Stats>
  /** Reads many at once, also those that were read less than a second ago. */
  refresh(tenantIds: readonly string[]): Promise<Map<string, Stats>>
}

export interface StatsCacheDeps {
  read(tenantIds: readonly string[]): Promise<Map<string, Stats>>
  /** Monotonic ms. */
  nowMs(): number
}

const FRESH_MS = 1_000
/** Each some 300 bytes: 3 MB. */
const MAX_TENANTS = 10_000

export function createStatsCache({ read, nowMs }: StatsCacheDeps): StatsCache {
  const known = new Map<string, { at: number; stats: Stats }>()
  let asked: { tenants: Set<string>; answer: Promise<Map<string, Stats>> } | null = null

  async function refresh(tenantIds: readonly string[]): Promise<Map<string, Stats>> {
    const found = await read(tenantIds)
    if (known.size > MAX_TENANTS) known.clear()
    for (const [tenantId, stats] of found) known.set(tenantId, { at: nowMs(), stats })
    return found
  }

  function ask(tenantId: string): Promise<Map<string, Stats>> {
    if (asked === null) {
      const tenants = new Set<string>()
      const answer = Promise.resolve().then(() => {
        asked = null
        return refresh([...tenants])
      })
      asked = { tenants, answer }
    }
    asked.tenants.add(tenantId)
    return asked.answer
  }

  return {
    refresh,
    async get(tenantId) {
      const last = known.get(tenantId)
      if (last !== undefined && nowMs() - last.at < FRESH_MS) return last.stats
      const stats = (await ask(tenantId)).get(tenantId)
      if (stats === undefined) throw new ApiError('UNAVAILABLE', 'the stats could not be read')
      return stats
    },
  }
}
