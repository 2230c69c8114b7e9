/**
 * A queue of events per tenant, served by deficit round robin. A batch takes from each tenant in
 * turn what its quantum pays for, and a cost above the expected one is paid back before the tenant
 * has its next turn. Tenants whose events are cheap to plan come first. Those with expensive
 * filters or large payloads share a bounded part of each batch, so that they make progress and
 * nobody waits for them.
 *
 * The total size is bounded, and one tenant may queue as many events as there are free places: a
 * flood fills half of the places, a second flood half of the rest, and tenants with few events
 * always find a place. Events that do not fit are read from Postgres, the oldest first, once their
 * tenant's queue is empty: a job without an event stands for them. A message is two ids, so their
 * number bounds their bytes.
 */

export interface Job {
  tenantId: string
  /** null: the tenant's oldest events, as many as a batch takes. */
  eventId: string | null
  /** The event is fanned out, or left to its `due_at`. */
  done(): void
}

export interface TenantQueues {
  /**
   * `known`: the event is queued already. `refused`: its tenant has used up its share. The caller
   * finishes the job in both cases.
   */
  add(job: Job): 'queued' | 'known' | 'refused'
  /**
   * The next batch: cheap tenants first, each tenant's events in their order. Empty when no tenant
   * is ready.
   */
  pick(): Job[]
  /** Returns unfinished jobs to the front of the tenant's queue. */
  putBack(tenantId: string, jobs: readonly Job[]): void
  /**
   * Charges what the picked events really took in all, after `pick` charged the expected cost, and
   * notes what one of them took.
   */
  charge(tenantId: string, used: { picked: number; cost: number; each: number }): void
  /** Nothing of this tenant is picked until it is freed. */
  setBusy(tenantId: string): void
  free(tenantId: string): void
  size(): number
  /** How many tenants something is known of. */
  tenants(): number
}

/** A job takes some 400 bytes: 8 MB in all. */
export const MAX_QUEUED = 20_000
/** A tenant may always queue this many. */
const MIN_SHARE = 20
/** As many as one statement takes. */
export const MAX_BATCH = 200
/**
 * Costs are in ms of the event loop. An event that costs more than this is expensive: without
 * filters it costs 0.01 to 0.05.
 */
const EXPENSIVE_COST = 0.5
/**
 * The expected cost of the cheap and of the expensive events of a batch, at most; a batch has at
 * least one event.
 */
const MAX_BATCH_COST = 10
/** Places of a batch that are kept for expensive events, when there are any. */
const EXPENSIVE_PLACES = 20
/** One turn pays for 20 cheap events. */
const QUANTUM = 1
/**
 * Bounds the debt, so that one very expensive event neither shuts its tenant out nor is paid back
 * for ever.
 */
const MAX_DEBT = 50
/** The cost that is assumed before the first event. */
const ASSUMED_COST = 0.02
/**
 * The weight of a cheaper event in the average. A higher cost counts in full, so a tenant becomes
 * expensive at once and cheap again slowly.
 */
const COST_WEIGHT = 0.2
/**
 * The cost up to which a tenant without queued events is forgotten: that it is cheap is assumed of
 * one that is new. Of 10,000 tenants with an event now and then some 300 bytes each were kept.
 */
const FORGOTTEN_COST = 0.1
/** The others are remembered, up to this many tenants. */
const MAX_TENANTS = 2 * MAX_QUEUED

interface TenantQueue {
  tenantId: string
  /** Jobs by event id; those without an event by a number. */
  jobs: Map<string, Job>
  /** The expected cost of one of its events. */
  cost: number
  /** What is left of its turns; a negative value is to be paid back. */
  deficit: number
  busy: boolean
  /** An event did not fit since the queue was last empty. */
  overflowed: boolean
}

// oxlint-disable-next-line max-lines-per-function -- its queues and rings change together
export function createTenantQueues(): TenantQueues {
  const queues = new Map<string, TenantQueue>()
  /** Tenants that have jobs and are not busy; the next in turn comes first. */
  const cheap = new Set<TenantQueue>()
  const expensive = new Set<TenantQueue>()
  let size = 0
  let nameless = 0

  function queueOf(tenantId: string): TenantQueue {
    const known = queues.get(tenantId)
    if (known !== undefined) return known
    if (queues.size >= MAX_TENANTS) forgetIdle()
    const idle = { busy: false, overflowed: false }
    const queue: TenantQueue = {
      tenantId,
      jobs: new Map(),
      cost: ASSUMED_COST,
      deficit: 0,
      ...idle,
    }
    queues.set(tenantId, queue)
    return queue
  }

  function forgetIdle(): void {
    for (const queue of queues.values()) if (isIdle(queue)) queues.delete(queue.tenantId)
  }

  /** Forgets the tenant where nothing is known of it that is not assumed of a new one. */
  function forgetCheap(queue: TenantQueue): void {
    const isCheap = queue.cost <= FORGOTTEN_COST && queue.deficit >= 0
    if (isCheap && isIdle(queue)) queues.delete(queue.tenantId)
  }

  /** Puts the queue last in its ring, or in none. */
  function enlist(queue: TenantQueue): void {
    cheap.delete(queue)
    expensive.delete(queue)
    if (!queue.busy && queue.jobs.size === 0 && queue.overflowed) {
      queue.overflowed = false
      const job = { tenantId: queue.tenantId, eventId: null, done: () => undefined }
      queue.jobs.set(nameOf(job), job)
      size += 1
    }
    if (!queue.busy && queue.jobs.size > 0)
      (queue.cost > EXPENSIVE_COST ? expensive : cheap).add(queue)
  }

  function nameOf({ eventId }: Job): string {
    if (eventId !== null) return eventId
    nameless += 1
    return String(nameless)
  }

  function take(ring: Set<TenantQueue>, batch: Job[], places: number): void {
    let left = MAX_BATCH_COST
    while (batch.length < places && left > 0) {
      const [queue] = ring
      if (queue === undefined) return
      queue.deficit = Math.min(QUANTUM, queue.deficit + QUANTUM)
      while (queue.deficit > 0 && left > 0 && batch.length < places) {
        const [first] = queue.jobs
        if (first === undefined) break
        queue.jobs.delete(first[0])
        size -= 1
        queue.deficit -= queue.cost
        left -= queue.cost
        batch.push(first[1])
      }
      enlist(queue)
    }
  }

  return {
    add(job) {
      const queue = queueOf(job.tenantId)
      if (job.eventId !== null && queue.jobs.has(job.eventId)) return 'known'
      const share = Math.max(MIN_SHARE, MAX_QUEUED - size)
      if (size >= MAX_QUEUED || queue.jobs.size >= share) {
        queue.overflowed = true
        if (queue.jobs.size === 0) enlist(queue)
        return 'refused'
      }
      queue.jobs.set(nameOf(job), job)
      size += 1
      if (queue.jobs.size === 1) enlist(queue)
      return 'queued'
    },
    pick() {
      const batch: Job[] = []
      take(cheap, batch, expensive.size > 0 ? MAX_BATCH - EXPENSIVE_PLACES : MAX_BATCH)
      take(expensive, batch, MAX_BATCH)
      return batch
    },
    putBack(tenantId, jobs) {
      const queue = queueOf(tenantId)
      const later = queue.jobs
      queue.jobs = new Map(jobs.map((job) => [nameOf(job), job]))
      for (const [name, job] of later) {
        // The event was announced again in the meantime.
        if (queue.jobs.has(name)) job.done()
        else queue.jobs.set(name, job)
      }
      size += queue.jobs.size - later.size
      enlist(queue)
    },
    charge(tenantId, { picked, cost, each }) {
      const queue = queueOf(tenantId)
      queue.deficit = Math.max(-MAX_DEBT, queue.deficit + picked * queue.cost - cost)
      queue.cost = each > queue.cost ? each : queue.cost + (each - queue.cost) * COST_WEIGHT
      enlist(queue)
      forgetCheap(queue)
    },
    setBusy(tenantId) {
      const queue = queueOf(tenantId)
      queue.busy = true
      enlist(queue)
    },
    free(tenantId) {
      const queue = queueOf(tenantId)
      queue.busy = false
      enlist(queue)
      forgetCheap(queue)
    },
    size: () => size,
    tenants: () => queues.size,
  }
}

function isIdle({ jobs, busy, overflowed }: TenantQueue): boolean {
  return jobs.size === 0 && !busy && !overflowed
}
