/**
 * For how many days finished events and attempts are kept: as long as the plan says, unless the
 * tenant has set it otherwise.
 */
import { PLAN_NAMES, type PlanRetention, PLANS } from './plans.ts'

export type RetentionDays = Pick<PlanRetention, 'events' | 'attempts'>

/** Nothing is removed under a plan that this version does not know. */
const UNKNOWN: RetentionDays = { events: 0, attempts: 0 }

/** @param own null where the tenant has set nothing */
export function retentionDays(
  plan: string,
  own: { events: number | null; attempts: number | null },
): RetentionDays {
  const known = PLAN_NAMES.find((name) => name === plan)
  const ofPlan = known === undefined ? UNKNOWN : PLANS[known].limits.retentionDays
  return { events: own.events ?? ofPlan.events, attempts: own.attempts ?? ofPlan.attempts }
}
