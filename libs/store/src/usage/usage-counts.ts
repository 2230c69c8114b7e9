/**
 * What this process has counted, by tenant and day, as totals under its own name. A total is
 * written as it is, so that it makes no difference how often it is written: neither a lost answer
 * nor a repeated statement counts anything twice. Pure.
 *
 * What is not written when the process ends is lost here; it is counted again from the events once
 * the day is over (`recount-usage.ts`).
 */
import { randomUUID } from 'node:crypto'

export interface UsageTotal {
  tenantId: string
  /** Days since 1970. */
  day: number
  events: number
  attempts: number
}

export interface UsageCounts {
  /** The name of the rows that are written. */
  process(): string
  add(what: 'events' | 'attempts', tenantId: string, day: number): void
  /** The totals that have grown since they were written last. */
  changed(): UsageTotal[]
  /** Postgres has these. Called before anything else is written. */
  written(totals: readonly UsageTotal[]): void
}

interface Counted {
  readonly tenantId: string
  readonly day: number
  events: number
  attempts: number
  writtenEvents: number
  writtenAttempts: number
}

/** Some 200 bytes each: 20 MB. */
const MAX_TOTALS = 100_000

export function createUsageCounts(
  maxTotals = MAX_TOTALS,
  newName: () => string = randomUUID,
): UsageCounts {
  let process = newName()
  let newestDay: number | null = null
  let size = 0
  const days = new Map<number, Map<string, Counted>>()
  const grown = new Set<Counted>()

  function countedOf(tenantId: string, day: number): Counted {
    let ofDay = days.get(day)
    if (ofDay === undefined) days.set(day, (ofDay = new Map()))
    let counted = ofDay.get(tenantId)
    if (counted === undefined) {
      counted = { tenantId, day, events: 0, attempts: 0, writtenEvents: 0, writtenAttempts: 0 }
      ofDay.set(tenantId, counted)
      size += 1
    }
    return counted
  }

  /** Takes another name, and keeps only what is not written under the former one. */
  function begin(): void {
    process = newName()
    days.clear()
    size = 0
    const unwritten = [...grown]
    grown.clear()
    for (const one of unwritten) {
      const anew = countedOf(one.tenantId, one.day)
      anew.events = one.events - one.writtenEvents
      anew.attempts = one.attempts - one.writtenAttempts
      grown.add(anew)
    }
  }

  return {
    process: () => process,
    add(what, tenantId, day) {
      const counted = countedOf(tenantId, day)
      counted[what] += 1
      grown.add(counted)
    },
    changed: () =>
      [...grown].map(({ tenantId, day, events, attempts }) => ({
        tenantId,
        day,
        events,
        attempts,
      })),
    written(totals) {
      let lastDay = newestDay ?? 0
      for (const { tenantId, day, events, attempts } of totals) {
        const counted = countedOf(tenantId, day)
        counted.writtenEvents = events
        counted.writtenAttempts = attempts
        if (counted.events === events && counted.attempts === attempts) grown.delete(counted)
        lastDay = Math.max(lastDay, day)
      }
      // A new name each day, so that the totals of former days need not be kept.
      if (size > maxTotals || (newestDay !== null && lastDay > newestDay)) begin()
      newestDay = lastDay
    },
  }
}
