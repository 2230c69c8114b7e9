/**
 * Fans out a batch of events: reads those that still wait, finds their endpoints under their
 * tenants' current configurations, drops the endpoints whose filters reject them, writes the
 * deliveries in one statement, and announces them. Repeating it makes nothing twice.
 *
 * A tenant whose events go to so many endpoints that they take several statements (a flood) is
 * written apart, so that the batch does not wait for it; and so is a tenant in order.
 *
 * The events of a tenant with a FIFO endpoint are fanned out in the order of their acceptance: its
 * oldest events are planned, and written in a transaction of their own that checks that they are
 * still the oldest. The batch does not wait for that transaction.
 *
 * Planning runs tenants' filters, so its time per batch is bounded. What is not planned by then
 * goes back to its tenant's queue, even an event in the middle of its filters.
 */
import type { WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import type { FanOutFailure } from '@posthorn/store/pipeline/fan-out-failures'
import { inTime } from './in-time.ts'
import type { Subscriptions } from './match-endpoints.ts'
import { createWriteSlots } from './write-slots.ts'
import { createTenantBatchPlanner } from './plan-tenant-batch.ts'
import {
  type FailedEvent,
  jobsLeftAfter,
  eventsAskedFor,
  type TenantBatch,
  toTenantBatch,
} from './tenant-batch.ts'
import type { Job, TenantQueues } from './tenant-queues.ts'
import { isFlood, type WritePlans } from './write-plans.ts'

type EventRef = { tenantId: string; eventId: string }

export interface FanOutDeps {
  queues: Pick<TenantQueues, 'add' | 'putBack' | 'charge' | 'setBusy' | 'free'>
  readWaiting(events: readonly EventRef[]): Promise<WaitingEvent[]>
  /** The oldest waiting events of each of these tenants, in order of acceptance. */
  readOldest(tenants: readonly { tenantId: string; limit: number }[]): Promise<EventRef[]>
  /**
   * The subscriptions of the event's tenant, at this version of its configuration or a later one.
   */
  subscriptionsOf(event: WaitingEvent): Promise<Subscriptions>
  /**
   * Whether the tenant's events are fanned out in order, as far as is known: for some seconds after
   * a change the answer may be outdated.
   */
  hasLanes(tenantId: string): Promise<boolean>
  /** Yields to the event loop. */
  giveWay(): Promise<void>
  /** In ms. */
  now(): number
  write: WritePlans
  /**
   * Counts a failed round for each of these events.
   * @returns the ids of those that have used up their rounds and are dead now
   */
  countFailures(failures: readonly FanOutFailure[]): Promise<ReadonlySet<string>>
  /** A job was put back, or a tenant is free again. */
  wake(): void
  log: { error(name: string, fields: Record<string, unknown>): void }
}

/** At most this many of the eight connections are used for it. */
const MAX_IN_ORDER = 4
/** They share one connection; each has up to 4,500 deliveries planned, some 2 MB. */
const MAX_FLOODS = 4

// oxlint-disable-next-line max-lines-per-function -- the steps of one batch, in their order
export function createFanOutEvents(deps: FanOutDeps): (batch: readonly Job[]) => Promise<void> {
  const planning = createTenantBatchPlanner({
    ...deps,
    onFault: ({ tenantId, id: eventId }, fault) =>
      deps.log.error('filter.failed', { tenantId, eventId, ...fault }),
  })
  const orderedSlots = createWriteSlots(MAX_IN_ORDER, deps)
  const floodSlots = createWriteSlots(MAX_FLOODS, deps)
  /** By tenant, why a read failed after its batch had gone on; until its events are picked. */
  const lateFailures = new Map<string, unknown>()

  return async (batch) => {
    const batches = await sortOut(batch)
    const ready = await withEvents(batches)
    const budget = planning.start(ready.length)
    for (const { tenantBatch, subscriptions } of ready) {
      const used = await planning.plan(tenantBatch, subscriptions, budget)
      deps.queues.charge(tenantBatch.tenantId, used)
      if (tenantBatch.inOrder) void writeInOrder(tenantBatch)
    }
    const own = ready.flatMap(({ tenantBatch }) => (tenantBatch.inOrder ? [] : [tenantBatch]))
    for (const flood of own.filter(({ plans }) => isFlood(plans)))
      if (floodSlots.acquire(flood)) void writeFlood(flood)
    await writeTogether(own.filter(({ plans }) => !isFlood(plans)))
  }

  /**
   * A configuration that can't be read fails its own tenant's events only. A tenant that is fanned
   * out in order may have to wait for a write slot.
   */
  async function sortOut(batch: readonly Job[]): Promise<TenantBatch[]> {
    const groups = [...Map.groupBy(batch, ({ tenantId }) => tenantId)]
    const known = await inTime(groups, ([tenantId]) => hasLanes(tenantId))
    const batches: TenantBatch[] = []
    for (const [index, [tenantId, jobs]] of groups.entries()) {
      const lanes = known.results[index]
      // Events that did not fit into the queue are found in the same way as those in order: the
      // oldest that wait.
      const isBehind = jobs.some(({ eventId }) => eventId === null)
      const inOrder = lanes?.status === 'fulfilled' && (lanes.value || isBehind)
      const tenantBatch = toTenantBatch(tenantId, jobs, inOrder)
      if (lanes === undefined) postpone(tenantBatch, known.pending[index])
      else if (lanes.status === 'rejected') leaveToDueAt(tenantBatch, lanes.reason)
      else if (!inOrder || orderedSlots.acquire(tenantBatch)) batches.push(tenantBatch)
    }
    return batches
  }

  async function hasLanes(tenantId: string): Promise<boolean> {
    if (!lateFailures.has(tenantId)) return await deps.hasLanes(tenantId)
    const error = lateFailures.get(tenantId)
    lateFailures.delete(tenantId)
    throw error
  }

  /**
   * The tenant's configuration is still being read: the batch goes on without the tenant, whose
   * events are picked again once it is there. A failure is remembered until then: where reads fail
   * slowly, each would be followed by another, and the events would wait here for ever.
   */
  function postpone(
    tenantBatch: TenantBatch,
    known: Promise<PromiseSettledResult<unknown>> | undefined,
  ): void {
    const { tenantId, inOrder } = tenantBatch
    tenantBatch.left = tenantBatch.jobs
    if (!inOrder) deps.queues.setBusy(tenantId)
    finish(tenantBatch)
    void known?.then((result) => {
      if (result.status === 'rejected') lateFailures.set(tenantId, result.reason)
      if (inOrder) return orderedSlots.release(tenantBatch)
      deps.queues.free(tenantId)
      deps.wake()
    })
  }

  /** The events are announced again when their `due_at` comes. */
  function leaveToDueAt(tenantBatch: TenantBatch, error: unknown): void {
    const { tenantId, jobs } = tenantBatch
    deps.log.error('events.not-fanned-out', { tenantId, events: jobs.length, error })
    for (const job of jobs) job.done()
  }

  function giveUp(tenantBatch: TenantBatch, error: unknown): void {
    leaveToDueAt(tenantBatch, error)
    if (tenantBatch.inOrder) orderedSlots.release(tenantBatch)
  }

  /** Each tenant's events to plan, with the configuration to plan them by. */
  async function withEvents(
    batches: readonly TenantBatch[],
  ): Promise<{ tenantBatch: TenantBatch; subscriptions: Subscriptions }[]> {
    try {
      await readEvents(batches)
    } catch (error) {
      for (const tenantBatch of batches) giveUp(tenantBatch, error)
      return []
    }
    const found = await inTime(batches, async ({ events }) => {
      const event = newestConfigured(events)
      return event === undefined ? null : await deps.subscriptionsOf(event)
    })
    return batches.flatMap((tenantBatch, index) => {
      const subscriptions = found.results[index]
      if (subscriptions === undefined) postpone(tenantBatch, found.pending[index])
      if (subscriptions?.status === 'rejected') giveUp(tenantBatch, subscriptions.reason)
      if (subscriptions?.status !== 'fulfilled') return []
      const { value } = subscriptions
      if (value !== null && (tenantBatch.inOrder || !value.hasLanes))
        return [{ tenantBatch, subscriptions: value }]
      // The tenant has got its first lane meanwhile, which the next round knows.
      if (value !== null) tenantBatch.left = tenantBatch.jobs
      else if (tenantBatch.inOrder) tenantBatch.left = jobsLeftAfter(tenantBatch, 0)
      finish(tenantBatch)
      if (tenantBatch.inOrder) orderedSlots.release(tenantBatch)
      return []
    })
  }

  async function readEvents(batches: readonly TenantBatch[]): Promise<void> {
    const inOrder = batches.filter((tenantBatch) => tenantBatch.inOrder)
    const oldest = await deps.readOldest(
      inOrder.map(({ tenantId, jobs }) => ({ tenantId, limit: eventsAskedFor(jobs) })),
    )
    const wanted = batches.flatMap(({ tenantId, jobs, inOrder: oldestOnly }) =>
      oldestOnly
        ? []
        : jobs.flatMap(({ eventId }) => (eventId === null ? [] : { tenantId, eventId })),
    )
    const all = [...oldest, ...wanted]
    const kept = all.flatMap(
      ({ tenantId, eventId }) => planning.unfinishedEvent(tenantId, eventId) ?? [],
    )
    const keptIds = new Set(kept.map(({ id }) => id))
    const read = await deps.readWaiting(all.filter(({ eventId }) => !keptIds.has(eventId)))
    const byTenant = Map.groupBy([...kept, ...read], ({ tenantId }) => tenantId)
    const found = Map.groupBy(oldest, ({ tenantId }) => tenantId)
    for (const tenantBatch of batches) {
      const { tenantId } = tenantBatch
      tenantBatch.events = (byTenant.get(tenantId) ?? []).sort((x, y) => x.seq - y.seq)
      if (tenantBatch.inOrder)
        tenantBatch.overtaken = (found.get(tenantId) ?? []).length - tenantBatch.events.length
    }
  }

  async function writeTogether(batches: readonly TenantBatch[]): Promise<void> {
    const refused = await deps.write.write(batches.flatMap(({ plans }) => plans))
    await settle([...batches.flatMap(({ failed }) => failed), ...refused])
    for (const tenantBatch of batches) finish(tenantBatch)
  }

  async function writeFlood(tenantBatch: TenantBatch): Promise<void> {
    const { tenantId, plans, failed } = tenantBatch
    try {
      const refused = await deps.write.writeFlood(tenantId, plans)
      await settle([...failed, ...refused])
      finish(tenantBatch)
    } catch (error) {
      leaveToDueAt(tenantBatch, error)
    }
    floodSlots.release(tenantBatch)
  }

  async function writeInOrder(tenantBatch: TenantBatch): Promise<void> {
    const { tenantId, plans } = tenantBatch
    try {
      const { written, failed } = await deps.write.writeInOrder(tenantId, plans)
      if (failed !== null) tenantBatch.failed = [failed]
      if (failed === null && written < plans.length) {
        // Another instance was faster, or an older event has been accepted: these jobs then stand
        // for whatever is the oldest now.
        tenantBatch.failed = []
        tenantBatch.left = jobsLeftAfter(tenantBatch, written)
      } else if (await settle(tenantBatch.failed)) {
        // The events behind it have waited, and the messages of some of them are used up.
        deps.queues.add({ tenantId, eventId: null, done: () => undefined })
      }
      finish(tenantBatch)
    } catch (error) {
      leaveToDueAt(tenantBatch, error)
    }
    orderedSlots.release(tenantBatch)
  }

  /** @returns whether any event was given up */
  async function settle(failed: readonly FailedEvent[]): Promise<boolean> {
    if (failed.length === 0) return false
    const failures = failed.map(({ event: { tenantId, id: eventId }, error }) => {
      deps.log.error('event.fan-out-failed', { tenantId, eventId, error })
      return { tenantId, eventId, reason: `could not be fanned out: ${messageOf(error)}` }
    })
    try {
      const dead = await deps.countFailures(failures)
      const gone = failures.filter(({ eventId }) => dead.has(eventId))
      for (const one of gone) deps.log.error('event.given-up', { ...one })
      return gone.length > 0
    } catch (error) {
      deps.log.error('events.not-given-up', { events: failures.length, error })
      return false
    }
  }

  function finish({ tenantId, jobs, left }: TenantBatch): void {
    const again = new Set(left)
    for (const job of jobs) if (!again.has(job)) job.done()
    if (left.length === 0) return
    deps.queues.putBack(tenantId, left)
    deps.wake()
  }
}

/**
 * The event that was read last: it knows of every change of configuration that the others know of.
 */
function newestConfigured(events: readonly WaitingEvent[]): WaitingEvent | undefined {
  const [first] = events
  return events.reduce(
    (newest, one) =>
      newest !== undefined && newest.configVersion >= one.configVersion ? newest : one,
    first,
  )
}

function messageOf(error: unknown): string {
  return Error.isError(error) ? error.message : String(error)
}
