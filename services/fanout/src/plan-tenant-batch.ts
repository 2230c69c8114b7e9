/**
 * Plans what a batch has of each tenant, for a bounded time: filters are the tenants' own, and whoever has dear ones or
 * very many must not keep the others of the batch from being written. What is not planned by then is left, an event in
 * the middle of its filters too, which is taken up where it was.
 */
import { markWork } from '@posthorn/runtime/current-work'
import type { WaitingEvent } from '@posthorn/store/pipeline/fan-out'
import type { OnFilterFault } from './apply-filters.ts'
import type { Subscriptions } from './match-endpoints.ts'
import { type Plan, planEvent } from './plan-event.ts'
import { jobsLeftAfter, type TenantBatch } from './tenant-batch.ts'
import type { TenantQueues } from './tenant-queues.ts'

export interface PlanTenantBatchDeps {
  /** Lets others have the event loop. */
  giveWay(): Promise<void>
  /** In ms. */
  now(): number
  onFault(event: WaitingEvent, fault: Parameters<OnFilterFault>[0]): void
}

/** Of a batch. */
interface PlanningBudget {
  /** When planning took the event loop. */
  since: number
  until: number
  /** What one tenant may take of it. */
  shareMs: number
}

type Used = Parameters<TenantQueues['charge']>[1]

interface Unfinished {
  event: WaitingEvent
  steps: Generator<void, Plan>
}

export interface TenantBatchPlanner {
  start(shares: number): PlanningBudget
  /** The event, when it was left in the middle: it need not be read again. */
  unfinishedEvent(tenantId: string, eventId: string): WaitingEvent | undefined
  /** Fills in the share's plans, what failed and what is left. @returns what it took */
  plan(share: TenantBatch, subscriptions: Subscriptions, pace: PlanningBudget): Promise<Used>
}

/** Of a batch; it is written then, with what is planned by that time. Others wait for it so long at most. */
const MAX_PLANNING_MS = 20
/** Of one tenant beside others: it may be dear without having shown it before. */
const MAX_SHARE_MS = 10
/** What planning may hold the event loop for; only a step that takes this long by itself holds it longer. */
const MAX_SLICE_MS = 5
/** What reading and parsing costs, as planning does: 20 us a KB. */
const BYTES_A_MS = 50_000

export function createTenantBatchPlanner(deps: PlanTenantBatchDeps): TenantBatchPlanner {
  /** An event that was left in the middle, at most one a tenant, whose job is in its queue. */
  const unfinished = new Map<string, Unfinished>()

  async function planShare(
    share: TenantBatch,
    subscriptions: Subscriptions,
    pace: PlanningBudget,
  ): Promise<Used> {
    const { tenantId, jobs, events } = share
    const until = Math.min(pace.until, deps.now() + pace.shareMs)
    const { event: begun } = unfinished.get(tenantId) ?? {}
    // Somebody else has fanned it out.
    if (begun !== undefined && !events.includes(begun)) unfinished.delete(tenantId)
    let [spentMs, at, isOver] = [0, 0, false]
    for (; at < events.length && deps.now() < until; at += 1) {
      const event = events[at] as WaitingEvent
      const began = deps.now()
      markWork('event.accepted', tenantId, event.traceId)
      try {
        const steps = takeUp(event) ?? begin(event, subscriptions)
        const plan = await follow(steps, pace, until)
        if (plan !== undefined) share.plans.push(plan)
        else {
          unfinished.set(tenantId, { event, steps })
          isOver = true
        }
      } catch (error) {
        share.failed.push({ event, error })
        // In order nothing may pass it.
        isOver = share.inOrder
      }
      spentMs += deps.now() - began
      if (isOver) break
    }
    share.left = jobsLeftAfter(share, at)
    const bytesMs = events.reduce((sum, { payload }) => sum + payload.length, 0) / BYTES_A_MS
    const each = spentMs / Math.max(1, share.plans.length) + bytesMs / events.length
    return { picked: jobs.length, cost: spentMs + bytesMs, each }
  }

  /** @returns nothing when its time is over: it is to be taken up again */
  async function follow(
    steps: Unfinished['steps'],
    pace: PlanningBudget,
    until: number,
  ): Promise<Plan | undefined> {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      const now = deps.now()
      if (now >= until) return undefined
      if (now - pace.since < MAX_SLICE_MS) continue
      await deps.giveWay()
      pace.since = deps.now()
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
    start(shares) {
      const since = deps.now()
      const shareMs = shares > 1 ? MAX_SHARE_MS : MAX_PLANNING_MS
      return { since, until: since + MAX_PLANNING_MS, shareMs }
    },
    unfinishedEvent(tenantId, eventId) {
      const event = unfinished.get(tenantId)?.event
      return event?.id === eventId ? event : undefined
    },
    plan: planShare,
  }
}
