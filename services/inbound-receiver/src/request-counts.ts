/**
 * Counts of each source's requests: kept in memory, and added to the sources' rows once a second
 * and at the stop, all in one statement. What Postgres did not take is kept for the next second. A
 * process that is killed loses the counts of a second, and a statement that was done but not
 * answered counts twice: no event depends on these counts.
 */
import type { SourceCounts } from '@posthorn/store/change-source'

export interface RequestCounts {
  received(source: Counted, at: number): void
  rejected(source: Counted, at: number, reason: string): void
  flush(): Promise<void>
}

interface Counted {
  tenantId: string
  id: string
}

export function createRequestCounts(
  add: (counts: readonly SourceCounts[]) => Promise<void>,
): RequestCounts {
  let counts = new Map<string, SourceCounts>()

  function of({ tenantId, id }: Counted): SourceCounts {
    const known = counts.get(id)
    if (known !== undefined) return known
    const none = { received: 0, rejected: 0, lastReceivedAt: null, lastRejection: null }
    const made = { tenantId, id, ...none }
    counts.set(id, made)
    return made
  }

  /** Adds them to what has been counted since, which is newer. */
  function putBack(former: Iterable<SourceCounts>): void {
    for (const one of former) {
      const own = of(one)
      own.received += one.received
      own.rejected += one.rejected
      own.lastReceivedAt ??= one.lastReceivedAt
      own.lastRejection ??= one.lastRejection
    }
  }

  return {
    received(source, at) {
      const own = of(source)
      own.received += 1
      own.lastReceivedAt = at
    },
    rejected(source, at, reason) {
      const own = of(source)
      own.rejected += 1
      own.lastRejection = { at, reason }
    },
    async flush() {
      if (counts.size === 0) return
      const written = counts
      counts = new Map()
      try {
        await add([...written.values()])
      } catch (error) {
        putBack(written.values())
        throw error
      }
    },
  }
}
