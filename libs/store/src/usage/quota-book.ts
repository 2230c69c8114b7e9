/**
 * How many events each tenant has used up in its month, as this process knows: what all processes
 * had written when it was read, and what this one has counted since. Pure: `usage-meter.ts` reads
 * and writes.
 */
import { setNewest } from '@posthorn/async/bounded-map'

export interface QuotaQuestion {
  tenantId: string
  /** Months since the beginning of 1970. */
  month: number
  /** What this process had counted but not read back when it asked. */
  unread: number
}

export interface QuotaBook {
  /** undefined: it is not known, and is asked for from now on. */
  used(tenantId: string, month: number): number | undefined
  /** Counts an event of a tenant that somebody has asked about. */
  add(tenantId: string, month: number): void
  /**
   * The tenants that were asked about since they were read. All that was counted until now must be
   * written before they are read.
   */
  begin(): QuotaQuestion[]
  /** @param used by tenant; absent: nothing */
  finish(questions: readonly QuotaQuestion[], used: ReadonlyMap<string, number>): void
  /** Reading has failed: the questions are still open. */
  fail(questions: readonly QuotaQuestion[]): void
}

interface Entry {
  month: number
  /** undefined: it was never read. */
  read: number | undefined
  unread: number
  isAsked: boolean
}

/** Some 150 bytes each. A tenant that is dropped is read again when it is asked about. */
const MAX_ENTRIES = 20_000

export function createQuotaBook(maxEntries = MAX_ENTRIES): QuotaBook {
  const entries = new Map<string, Entry>()

  /** A month that has just begun begins with nothing, until it is read. */
  function inMonth(entry: Entry, month: number): Entry {
    if (entry.month < month) Object.assign(entry, { month, read: 0, unread: 0 })
    return entry
  }

  return {
    used(tenantId, month) {
      const known = entries.get(tenantId)
      if (known === undefined) {
        const entry = { month, read: undefined, unread: 0, isAsked: true }
        setNewest(entries, tenantId, entry, maxEntries)
        return undefined
      }
      const entry = inMonth(known, month)
      entry.isAsked = true
      return entry.read === undefined ? undefined : entry.read + entry.unread
    },
    add(tenantId, month) {
      const known = entries.get(tenantId)
      if (known === undefined) return
      const entry = inMonth(known, month)
      if (entry.month === month) entry.unread += 1
    },
    begin() {
      const questions: QuotaQuestion[] = []
      for (const [tenantId, entry] of entries) {
        if (!entry.isAsked) continue
        entry.isAsked = false
        questions.push({ tenantId, month: entry.month, unread: entry.unread })
      }
      return questions
    },
    finish(questions, used) {
      for (const { tenantId, month, unread } of questions) {
        const entry = entries.get(tenantId)
        if (entry?.month !== month) continue
        entry.read = used.get(tenantId) ?? 0
        entry.unread = Math.max(0, entry.unread - unread)
      }
    },
    fail(questions) {
      for (const { tenantId } of questions) {
        const entry = entries.get(tenantId)
        if (entry !== undefined) entry.isAsked = true
      }
    },
  }
}
