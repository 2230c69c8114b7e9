/**
 * For how many days finished events, attempts, audit rows and sign-ins are kept: as long as the
 * plan says, unless the tenant has set it otherwise.
 */
import { PLAN_NAMES, type PlanRetention, PLANS } from './plans.ts'

/** What a tenant has set; null: the plan decides. */
export type OwnRetention = { readonly [What in keyof PlanRetention]: number | null }

/** In days. A longer time is no retention at all: 0 keeps for ever. */
export const MAX_RETENTION_DAYS = 7_300

/** Nothing is removed under a plan that this version does not know. */
const UNKNOWN: PlanRetention = { events: 0, attempts: 0, auditLogs: 0, authAudit: 0 }

/** What holds where a tenant has set nothing. */
export function planRetention(plan: string): PlanRetention {
  const known = PLAN_NAMES.find((name) => name === plan)
  return known === undefined ? UNKNOWN : PLANS[known].limits.retentionDays
}

/** @param own null where the tenant has set nothing */
export function retentionDays(plan: string, own: OwnRetention): PlanRetention {
  const ofPlan = planRetention(plan)
  return {
    events: own.events ?? ofPlan.events,
    attempts: own.attempts ?? ofPlan.attempts,
    auditLogs: own.auditLogs ?? ofPlan.auditLogs,
    authAudit: own.authAudit ?? ofPlan.authAudit,
  }
}
