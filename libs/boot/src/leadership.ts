/**
 * Who does what one process alone does, among several that could. A process that stood still may
 * believe for a moment that it still leads, so what it does then must be harmless.
 */
import { randomUUID } from 'node:crypto'
import type { Log } from '@posthorn/runtime/log'
import { acquireLeadership, resignLeadership } from '@posthorn/store/pipeline/leadership'
import type { Pool } from '@posthorn/store/pool'

export interface LeadershipConfig {
  /** Names the lease and the log's lines. */
  name: string
  leaseMs: number
}

export interface LeadershipDeps {
  pool: Pool
  log: Pick<Log, 'info' | 'warn'>
  /** Called when this process begins or ceases to lead. */
  onChange(leads: boolean): void
}

export interface Leadership {
  isLeader(): boolean
  /** Takes the lease where nobody has it, or keeps it; to be called within `leaseMs` again. */
  renew(): Promise<void>
  resign(): Promise<void>
}

/** Leads from its first renewal on: for a process that shares its database with no other. */
export function leadAlone(onChange: (leads: boolean) => void): Leadership {
  let leads = false
  return {
    isLeader: () => leads,
    async renew() {
      if (leads) return
      leads = true
      onChange(true)
    },
    async resign() {
      leads = false
    },
  }
}

export function createLeadership(
  { name, leaseMs }: LeadershipConfig,
  { pool, log, onChange }: LeadershipDeps,
): Leadership {
  const owner = randomUUID()
  let leaderUntil = 0
  const isLeader = (): boolean => performance.now() < leaderUntil

  return {
    isLeader,
    async renew() {
      const askedAt = performance.now()
      const leads = await acquireLeadership(pool, name, owner, leaseMs)
      const isNew = leads !== isLeader()
      if (isNew) log.info(`${name}.leadership`, { leader: leads })
      leaderUntil = leads ? askedAt + leaseMs : 0
      if (isNew) onChange(leads)
    },
    async resign() {
      leaderUntil = 0
      await resignLeadership(pool, name, owner).catch((error: unknown) =>
        log.warn(`${name}.lease-kept`, { error }),
      )
    },
  }
}
