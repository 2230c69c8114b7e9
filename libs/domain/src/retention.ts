/**
 * For how many days a plan keeps finished events and attempts, unless the tenant has set it
 * otherwise. 0: for ever.
 */
export interface RetentionDays {
  events: number
  attempts: number
}

export const PLAN_RETENTION: Readonly<Record<string, RetentionDays>> = {
  free: { events: 7, attempts: 7 },
  starter: { events: 30, attempts: 30 },
  growth: { events: 90, attempts: 30 },
  scale: { events: 180, attempts: 90 },
  self_hosted: { events: 90, attempts: 30 },
}

/** Nothing is removed under a plan that this version does not know. */
const UNKNOWN: RetentionDays = { events: 0, attempts: 0 }

/** @param own null where the tenant has set nothing */
export function retentionDays(
  plan: string,
  own: { events: number | null; attempts: number | null },
): RetentionDays {
  const ofPlan = PLAN_RETENTION[plan] ?? UNKNOWN
  return { events: own.events ?? ofPlan.events, attempts: own.attempts ?? ofPlan.attempts }
}
