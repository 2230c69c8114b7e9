/**
 * Leaves time to others while a tenant's flood is fanned out. A statement that writes hundreds of
 * deliveries takes a processor of Postgres for some 20 ms, and what it makes keeps a dispatcher
 * busy for longer. Where dispatchers say that somebody else's deliveries go beside the flood, each
 * statement is followed by a pause in proportion to it, longer the later the others are; nothing is
 * waited for otherwise.
 */
import type { FloodCongested } from '@posthorn/contracts/topics'

export interface LeaveTime {
  /** Others go beside a tenant's flood. */
  congested(message: Pick<FloodCongested, 'tenantId' | 'lateMs'>): void
  /** Resolves when the tenant's next statement may begin, after one that took so long. */
  after(tenantId: string, tookMs: number): Promise<void>
}

export interface LeaveTimeDeps {
  /** In ms. */
  now(): number
  pause(ms: number): Promise<unknown>
  /** For metrics. */
  count(seconds: number): void
}

/**
 * The pause, as a part of the statement's time: one for each four milliseconds that the others are
 * late. Who has others beside it for the first time pauses longest, because what it wrote before
 * still waits at the dispatchers. Decision 0028 has what other values give.
 */
const LATE_MS_PER_PART = 4
const [MIN_PART, MAX_PART] = [0.7, 10]
/** Pauses become longer at once and shorter step by step, or each short one would make a wave. */
const KEPT = 0.85
/** A statement for one event with 10,000 endpoints takes a second. */
const MAX_PAUSE_MS = 1_000
/** Twice as long as it takes until dispatchers say it again. */
const CONGESTED_MS = 500
/** Some 100 bytes each. Further tenants leave no time until some are forgotten. */
const MAX_TENANTS = 1_000

export function createLeaveTime({ now, pause, count }: LeaveTimeDeps): LeaveTime {
  const told = new Map<string, { until: number; part: number }>()

  function forgetPast(at: number): void {
    for (const [tenantId, { until }] of told) if (until <= at) told.delete(tenantId)
  }

  return {
    congested({ tenantId, lateMs = 0 }) {
      const at = now()
      if (told.size >= MAX_TENANTS) forgetPast(at)
      const before = told.get(tenantId)
      if (before === undefined && told.size >= MAX_TENANTS) return
      const isNew = before === undefined || before.until <= at
      const least = isNew ? MAX_PART : Math.max(MIN_PART, before.part * KEPT)
      const part = Math.min(MAX_PART, Math.max(least, lateMs / LATE_MS_PER_PART))
      told.set(tenantId, { until: at + CONGESTED_MS, part })
    },
    async after(tenantId, tookMs) {
      const congestion = told.get(tenantId)
      if (congestion === undefined) return
      if (congestion.until <= now()) return void told.delete(tenantId)
      const ms = Math.min(MAX_PAUSE_MS, tookMs * congestion.part)
      count(ms / 1_000)
      await pause(ms)
    },
  }
}
