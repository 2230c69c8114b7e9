/**
 * What waits to be fanned out, in a queue a tenant, and whose turn it is: deficit round robin. A batch takes from each
 * tenant in turn as much as its quantum pays for, and what turns out dearer than expected is paid back before the tenant
 * has its next turn. Tenants whose events are cheap to plan come first; those with dear filters or large payloads share
 * a bounded part of each batch, so that they go on and nobody waits for them.
 *
 * The whole is bounded, and a tenant may hold as many as are still free: a flood fills half of it, a second flood half
 * of the rest, and there is always room for those that have little. What does not fit is taken from Postgres, the oldest
 * first, once its tenant's queue is empty: a job without an event stands for it.
 * A message is two ids, so that their number bounds their bytes.
 */

export interface Job {
  tenantId: string
  /** null: whatever is the tenant's oldest, and as many as a batch takes. */
  eventId: string | null
  /** The work is finished, or left to the event's `due_at`. */
  done(): void
}

export interface TenantQueues {
  /** `known`: it is in the queue already. `refused`: its tenant has its share. Both are the caller's to finish. */
  add(job: Job): 'queued' | 'known' | 'refused'
  /** The next batch, cheap tenants first, each tenant's in their order. Empty: nothing is ready. */
  pick(): Job[]
  /** Not done yet: before whatever else waits of this tenant. */
  putBack(tenantId: string, jobs: readonly Job[]): void
  /** What those that were picked took in all, where `pick` had expected what they took before, and one of them. */
  charge(tenantId: string, used: { picked: number; cost: number; each: number }): void
  /** Until it is freed, nothing of this tenant is picked. */
  setBusy(tenantId: string): void
  free(tenantId: string): void
  size(): number
}

/** Some 400 bytes each: 8 MB. */
export const MAX_QUEUED = 20_000
/** What a tenant may hold however full it is. */
const MIN_SHARE = 20
/** As many as one statement takes. */
export const MAX_BATCH = 200
/** Costs are in ms of an event loop. Dearer than this an event is dear: without filters it costs 0.01 to 0.05. */
const DEAR_COST = 0.5
/** What a batch is expected to cost at most, of cheap and of dear events; at least one of them is in it. */
const MAX_BATCH_COST = 10
/** Places of a batch that cheap events leave to dear ones, when there are any. */
const DEAR_PLACES = 20
/** What one turn pays for: 20 cheap events. */
const QUANTUM = 1
/** So that one event that cost very much does not shut its tenant out, or be paid back in endless rounds. */
const MAX_DEBT = 50
/** Until it is known. */
const FIRST_COST = 0.02
/** A dear event counts at once, a cheap one by so much: a tenant is soon dear and slowly cheap again. */
const FORGET = 0.2
/** Of tenants that have nothing here at the moment it is remembered what their events cost. */
const MAX_TENANTS = 2 * MAX_QUEUED

interface Queue {
  tenantId: string
  /** By event; what has no event by a number. */
  jobs: Map<string, Job>
  /** What one of its events is expected to cost. */
  cost: number
  /** What is left of its turns; below zero: to be paid back. */
  deficit: number
  busy: boolean
  /** Something did not fit since its queue was empty. */
  overflowed: boolean
}

export function createTenantQueues(): TenantQueues {
  const queues = new Map<string, Queue>()
  /** Those that have something and are not busy, whose turn it is first. */
  const cheap = new Set<Queue>()
  const dear = new Set<Queue>()
  let size = 0
  let nameless = 0

  function queueOf(tenantId: string): Queue {
    const known = queues.get(tenantId)
    if (known !== undefined) return known
    if (queues.size >= MAX_TENANTS) forgetIdle()
    const idle = { busy: false, overflowed: false }
    const queue: Queue = { tenantId, jobs: new Map(), cost: FIRST_COST, deficit: 0, ...idle }
    queues.set(tenantId, queue)
    return queue
  }

  function forgetIdle(): void {
    for (const { tenantId, jobs, busy, overflowed } of queues.values())
      if (jobs.size === 0 && !busy && !overflowed) queues.delete(tenantId)
  }

  /** Last in its ring, or in none. */
  function enlist(queue: Queue): void {
    cheap.delete(queue)
    dear.delete(queue)
    if (!queue.busy && queue.jobs.size === 0 && queue.overflowed) {
      queue.overflowed = false
      const job = { tenantId: queue.tenantId, eventId: null, done: () => undefined }
      queue.jobs.set(nameOf(job), job)
      size += 1
    }
    if (!queue.busy && queue.jobs.size > 0) (queue.cost > DEAR_COST ? dear : cheap).add(queue)
  }

  function nameOf({ eventId }: Job): string {
    if (eventId !== null) return eventId
    nameless += 1
    return String(nameless)
  }

  function take(ring: Set<Queue>, batch: Job[], places: number): void {
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
      take(cheap, batch, dear.size > 0 ? MAX_BATCH - DEAR_PLACES : MAX_BATCH)
      take(dear, batch, MAX_BATCH)
      return batch
    },
    putBack(tenantId, jobs) {
      const queue = queueOf(tenantId)
      const later = queue.jobs
      queue.jobs = new Map(jobs.map((job) => [nameOf(job), job]))
      for (const [name, job] of later) {
        // Announced once more in the meantime.
        if (queue.jobs.has(name)) job.done()
        else queue.jobs.set(name, job)
      }
      size += queue.jobs.size - later.size
      enlist(queue)
    },
    charge(tenantId, { picked, cost, each }) {
      const queue = queueOf(tenantId)
      queue.deficit = Math.max(-MAX_DEBT, queue.deficit + picked * queue.cost - cost)
      queue.cost = each > queue.cost ? each : queue.cost + (each - queue.cost) * FORGET
      enlist(queue)
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
    },
    size: () => size,
  }
}
