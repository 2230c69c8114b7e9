/**
 * Plans a tenant's part of a batch within a bounded time. Filters are the tenants' own, and a
 * tenant with expensive or very many filters must not keep the other events of the batch from being
 * written. What is not planned by then is left; an event that was interrupted in the middle of its
 * filters is resumed there.
 */
import { markWork } from '@posthorn/async/current-work'
import type { WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import type { OnFilterFault } from './apply-filters.ts'
import type { Subscriptions } from './match-endpoints.ts'
import { type Plan, planEvent } from './plan-event.ts'
import { jobsLeftAfter, type TenantBatch } from './tenant-batch.ts'
import type { TenantQueues } from './tenant-queues.ts'

export interface TenantBatchPlannerDeps {
  /** Yields to the event loop. */
  giveWay(): Promise<void>
  /** In ms. */
  now(): number
  onFault(event: WaitingEvent, fault: Parameters<OnFilterFault>[0]): void
}

/** The time that planning one batch may take. */
interface PlanningBudget {
  /** When planning last got the event loop. */
  since: number
  until: number
  /** What one tenant may take of it. */
  tenantMs: number
}

type Used = Parameters<TenantQueues['charge']>[1]

interface Unfinished {
  event: WaitingEvent
  steps: Generator<void, Plan>
}

export interface TenantBatchPlanner {
  start(tenants: number): PlanningBudget
  /** The event that was interrupted, if it is this one: it need not be read again. */
  unfinishedEvent(tenantId: string, eventId: string): WaitingEvent | undefined
  /**
   * Fills in the plans, the failed events and the jobs that are left.
   * @returns the time that it took
   */
  plan(batch: TenantBatch, subscriptions: Subscriptions, budget: PlanningBudget): Promise<Used>
}

/**
 * The time for one batch. Whatever is planned by then is written, so no event waits longer for the
 * others.
 */
const MAX_PLANNING_MS = 20
/** The time for one tenant of several, since its events may turn out to be expensive. */
const MAX_TENANT_MS = 10
/** How long planning runs without yielding. Only a single step that takes longer exceeds it. */
const MAX_SLICE_MS = 5
/** Deliveries that are planned at once for a tenant: eight statements, or those of one event. */
const MAX_PLANNED = 4_000
/** The cost of reading and parsing, in the same unit as planning: 20 us a KB. */
const BYTES_A_MS = 50_000

// oxlint-disable-next-line max-lines-per-function -- the steps of one plan, in their order
export function createTenantBatchPlanner(deps: TenantBatchPlannerDeps): TenantBatchPlanner {
  /** The interrupted event of each tenant, at most one. Its job is in the tenant's queue. */
  const unfinished = new Map<string, Unfinished>()

  async function planBatch(
    batch: TenantBatch,
    subscriptions: Subscriptions,
    budget: PlanningBudget,
  ): Promise<Used> {
    const { tenantId, jobs, events } = batch
    const until = Math.min(budget.until, deps.now() + budget.tenantMs)
    const { event: begun } = unfinished.get(tenantId) ?? {}
    // Another instance has fanned it out.
    if (begun !== undefined && !events.includes(begun)) unfinished.delete(tenantId)
    let [spentMs, at, planned, isOver] = [0, 0, 0, false]
    for (; at < events.length && planned < MAX_PLANNED && deps.now() < until; at += 1) {
      const event = events[at] as WaitingEvent
      const began = deps.now()
      markWork('event.accepted', tenantId, event.traceId)
      try {
        const steps = takeUp(event) ?? begin(event, subscriptions)
        const plan = await follow(steps, budget, until)
        if (plan !== undefined) {
          batch.plans.push(plan)
          planned += plan.out.deliveries.length
        } else {
          unfinished.set(tenantId, { event, steps })
          isOver = true
        }
      } catch (error) {
        batch.failed.push({ event, error })
        // No later event may pass it in order.
        isOver = batch.inOrder
      }
      spentMs += deps.now() - began
      if (isOver) break
    }
    batch.left = jobsLeftAfter(batch, at)
    const bytesMs = events.reduce((sum, { payload }) => sum + payload.length, 0) / BYTES_A_MS
    const each = spentMs / Math.max(1, batch.plans.length) + bytesMs / events.length
    return { picked: jobs.length, cost: spentMs + bytesMs, each }
  }

  /** @returns undefined when its time was up: it is to be resumed */
  async function follow(
    steps: Unfinished['steps'],
    budget: PlanningBudget,
    until: number,
  ): Promise<Plan | undefined> {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      const now = deps.now()
      if (now >= until) return undefined
      if (now - budget.since < MAX_SLICE_MS) continue
      await deps.giveWay()
      budget.since = deps.now()
    }
  }

  function begin(event: WaitingEvent, subscriptions: Subscriptions): Unfinished['steps'] {
    return planEvent(event, subscriptions, (fault) => deps.onFault(event, fault))
  }

  function takeUp(event: WaitingEvent): Unfinished['steps'] | undefined {
    const known = unfinished.get(event.tenantId)
    if (known?.event !== event) return undefined
    unfinished.delete(event.tenantId)
    return known.steps
  }

  return {
    start(tenants) {
      const since = deps.now()
      const tenantMs = tenants > 1 ? MAX_TENANT_MS : MAX_PLANNING_MS
      return { since, until: since + MAX_PLANNING_MS, tenantMs }
    },
    unfinishedEvent(tenantId, eventId) {
      const event = unfinished.get(tenantId)?.event
      return event?.id === eventId ? event : undefined
    },
    plan: planBatch,
  }
}
