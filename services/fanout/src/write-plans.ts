/**
 * Writes the planned deliveries and announces them. When Postgres refuses an event because of its
 * content, the batch is halved until that event is found, so that it keeps no other from being
 * written.
 */
import { createMutex } from '@posthorn/async/mutex'
import type { FannedOut } from '@posthorn/store/pipeline/fan-out'
import { isEventsOwnFault } from '@posthorn/store/pipeline/fan-out-failures'
import { type AnnouncePlansDeps, announcePlans, type Tokens } from './announce-plans.ts'
import type { Plan } from './plan-event.ts'
import type { FailedEvent } from './tenant-batch.ts'

export interface WritePlansDeps extends AnnouncePlansDeps {
  fanOut(events: readonly FannedOut[]): Promise<Tokens>
  /**
   * Writes those of these that are the tenant's oldest events. The first of them are passed over
   * where another instance has fanned them out.
   */
  fanOutInOrder(
    tenantId: string,
    events: readonly FannedOut[],
  ): Promise<{ written: readonly FannedOut[]; tokens: Tokens }>
  /** Resolves when the tenant's next statement may begin, after one that took so long. */
  leaveTime(tenantId: string, tookMs: number): Promise<void>
  log: Record<'info' | 'error', (name: string, fields: Record<string, unknown>) => void>
}

export interface WritePlans {
  /**
   * @returns the events that were refused because of their content; other failures are logged and
   *   left to `due_at`
   */
  write(plans: readonly Plan[]): Promise<FailedEvent[]>
  /**
   * The same for a tenant whose plans take several statements. These take turns with those of other
   * floods, and leave time to others in between.
   */
  writeFlood(tenantId: string, plans: readonly Plan[]): Promise<FailedEvent[]>
  /**
   * Writes a tenant's oldest events in their order.
   * @returns how many were written, not counting those that another instance has fanned out, and
   *   the event after them that was refused
   */
  writeInOrder(
    tenantId: string,
    plans: readonly Plan[],
  ): Promise<{ written: number; failed: FailedEvent | null }>
}

/**
 * Deliveries, and events told to connectors, in one statement: some 20 ms of one of Postgres's
 * processors. Statements of 2,000 took 350 ms of those that events were accepted on meanwhile. With
 * 500 somebody else's deliveries beside a flood took 60 ms at p99 where they take 40 with 250, and
 * a burst that is alone (row 4 of the load suite) gained nothing. With 125 the flood loses a tenth.
 */
const MAX_DELIVERIES = 250

// oxlint-disable-next-line max-lines-per-function -- three ways to write, from the same steps
export function createWritePlans(deps: WritePlansDeps): WritePlans {
  /** Floods have one connection together. */
  const floodStatement = createMutex()

  async function writeOrHalve(plans: readonly Plan[]): Promise<FailedEvent[]> {
    try {
      const startedAt = performance.now()
      const tokens = await deps.fanOut(plans.map(({ out }) => out))
      announcePlans(deps, plans, tokens, performance.now() - startedAt)
      return []
    } catch (error) {
      if (!isEventsOwnFault(error)) throw error
      const [first] = plans
      if (plans.length === 1 && first !== undefined) return [{ event: first.event, error }]
    }
    const middle = plans.length >> 1
    const left = await writeOrHalve(plans.slice(0, middle))
    return [...left, ...(await writeOrHalve(plans.slice(middle)))]
  }

  async function writeEach(
    plans: readonly Plan[],
    write: (batch: readonly Plan[]) => Promise<FailedEvent[]>,
  ): Promise<FailedEvent[]> {
    const failed: FailedEvent[] = []
    for (let left = plans; left.length > 0; ) {
      const batch = left.slice(0, lengthOfBatch(left))
      left = left.slice(batch.length)
      try {
        failed.push(...(await write(batch)))
      } catch (error) {
        deps.log.error('events.not-fanned-out', { events: batch.length, error })
      }
    }
    return failed
  }

  return {
    write: (plans) => writeEach(plans, writeOrHalve),
    writeFlood: (tenantId, plans) =>
      writeEach(plans, (batch) =>
        floodStatement(async () => {
          const startedAt = performance.now()
          const refused = await writeOrHalve(batch)
          // Other floods wait as well, or two of them would leave no time to anybody.
          await deps.leaveTime(tenantId, performance.now() - startedAt)
          return refused
        }),
      ),
    async writeInOrder(tenantId, plans) {
      let [written, at] = [0, 0]
      let most = plans.length
      while (at < plans.length) {
        const left = plans.slice(at)
        const batch = left.slice(0, Math.min(most, lengthOfBatch(left)))
        try {
          const startedAt = performance.now()
          const done = await deps.fanOutInOrder(
            tenantId,
            batch.map(({ out }) => out),
          )
          const tookMs = performance.now() - startedAt
          // The first of the batch may be missing among them.
          const outs = new Set(done.written)
          const own = batch.filter(({ out }) => outs.has(out))
          announcePlans(deps, own, done.tokens, tookMs)
          written += own.length
          if (own.at(-1) !== batch.at(-1)) break
          at += batch.length
          if (isFlood(plans)) await deps.leaveTime(tenantId, tookMs)
        } catch (error) {
          if (!isEventsOwnFault(error)) throw error
          const [first] = batch
          if (batch.length === 1 && first !== undefined)
            return { written, failed: { event: first.event, error } }
          most = batch.length >> 1
        }
      }
      return { written, failed: null }
    },
  }
}

/** Whether these take several statements, or one event alone takes more than its share of one. */
export function isFlood(plans: readonly Plan[]): boolean {
  return plans.reduce((sum, plan) => sum + rowsOf(plan), 0) > MAX_DELIVERIES
}

function lengthOfBatch(plans: readonly Plan[]): number {
  let capacity = MAX_DELIVERIES
  const full = plans.findIndex((plan) => {
    capacity -= rowsOf(plan)
    return capacity < 0
  })
  return full === -1 ? plans.length : Math.max(1, full)
}

function rowsOf({ out: { deliveries, connectors = [] } }: Plan): number {
  return deliveries.length + connectors.length
}
