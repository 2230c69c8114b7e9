/**
 * Decides which scripts are not trusted to be quick, for a minute: those that were slow or were
 * stopped at a limit, and all of a tenant's scripts when three of them were stopped, or one of them
 * stopped a whole thread. So a tenant who makes new bad scripts all the time delays the others
 * three times a minute, not all the time. Pure: the time is an argument.
 */
import { setNewest } from '@posthorn/async/bounded-map'

export interface UntrustedScripts {
  has(tenantId: string, key: string, now: number): boolean
  /** It was slow, and no more than that. */
  slow(key: string, now: number): void
  stopped(tenantId: string, key: string, now: number): void
  stuck(tenantId: string, key: string | null, now: number): void
}

const FOR_MS = 60_000
const MAX_STRIKES = 3
/** Some 100 bytes each. */
const MAX_KEPT = 10_000

interface StrikeRecord {
  strikes: number
  until: number
}

export function createUntrustedScripts(): UntrustedScripts {
  const scripts = new Map<string, number>()
  const tenants = new Map<string, StrikeRecord>()

  function slow(key: string, now: number): void {
    setNewest(scripts, key, now + FOR_MS, MAX_KEPT)
  }

  function strike(tenantId: string, strikes: number, now: number): void {
    const known = tenants.get(tenantId)
    const before = known === undefined || known.until <= now ? 0 : known.strikes
    setNewest(tenants, tenantId, { strikes: before + strikes, until: now + FOR_MS }, MAX_KEPT)
  }

  return {
    has(tenantId, key, now) {
      if ((scripts.get(key) ?? 0) > now) return true
      const tenant = tenants.get(tenantId)
      return tenant !== undefined && tenant.strikes >= MAX_STRIKES && tenant.until > now
    },
    slow,
    stopped(tenantId, key, now) {
      // A script that is stopped again and again counts once.
      if ((scripts.get(key) ?? 0) <= now) strike(tenantId, 1, now)
      slow(key, now)
    },
    stuck(tenantId, key, now) {
      strike(tenantId, MAX_STRIKES, now)
      if (key !== null) slow(key, now)
    },
  }
}
