/**
 * The plans: how much of what a workspace may use, and which features it has. A workspace has the
 * plan of its subscription, else the one that the setting DEFAULT_PLAN names.
 */
export const PLAN_NAMES = ['free', 'starter', 'growth', 'scale', 'self_hosted'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

export const FEATURES = [
  'transformations',
  'inbound',
  'alerting',
  'sub_accounts',
  'sso',
  'saml',
  'scim',
  'gdpr',
] as const
export type Feature = (typeof FEATURES)[number]

/** In whole days; 0: for ever. */
export interface PlanRetention {
  events: number
  attempts: number
  auditLogs: number
  authAudit: number
}

/** 0 stands for no limit, as in the answer of `GET /api/v1/entitlements`. */
export interface PlanLimits {
  eventsPerMonth: number
  /** Over all API keys and sessions of the workspace together. */
  requestsPerSecond: number
  endpoints: number
  /** The largest `rateLimitPerSec` of an endpoint. */
  endpointRatePerSec: number
  retentionDays: PlanRetention
}

export interface PlanTerms {
  limits: PlanLimits
  features: readonly Feature[]
}

const STARTER: readonly Feature[] = ['transformations', 'inbound', 'alerting']
const GROWTH: readonly Feature[] = [...STARTER, 'sub_accounts', 'sso']

export const PLANS: Readonly<Record<PlanName, PlanTerms>> = {
  free: {
    limits: limits(50_000, 50, 10, 50, [7, 7, 30, 30]),
    features: [],
  },
  starter: {
    limits: limits(500_000, 200, 50, 200, [30, 30, 90, 90]),
    features: STARTER,
  },
  growth: {
    limits: limits(5_000_000, 1_000, 500, 1_000, [90, 30, 365, 365]),
    features: GROWTH,
  },
  scale: {
    limits: limits(50_000_000, 5_000, 5_000, 5_000, [180, 90, 730, 730]),
    features: FEATURES,
  },
  self_hosted: {
    limits: limits(0, 0, 0, 0, [90, 30, 365, 365]),
    features: FEATURES,
  },
}

function limits(
  eventsPerMonth: number,
  requestsPerSecond: number,
  endpoints: number,
  endpointRatePerSec: number,
  days: readonly [number, number, number, number],
): PlanLimits {
  const [events, attempts, auditLogs, authAudit] = days
  const retentionDays = { events, attempts, auditLogs, authAudit }
  return { eventsPerMonth, requestsPerSecond, endpoints, endpointRatePerSec, retentionDays }
}

/** The billing provider's words for a subscription that gives its plan. */
export const STATUSES_IN_FORCE: readonly string[] = ['active', 'trialing', 'past_due']

/** A plan as it was stored. null: none. Unknown words are those of a newer version. */
export function planNamed(stored: string | null, otherwise: PlanName): PlanName {
  return PLAN_NAMES.find((name) => name === stored) ?? otherwise
}

export function hasFeature(plan: PlanName, feature: Feature): boolean {
  return PLANS[plan].features.includes(feature)
}

/** The smallest plan that is sold and has a feature. */
export function leastPlanWith(feature: Feature): PlanName {
  return PLAN_NAMES.find((name) => hasFeature(name, feature)) ?? 'scale'
}

/**
 * How many endpoints a workspace may have. A plan without a number, and one that this version does
 * not know, has the installation's limit.
 *
 * @param installation the most that any workspace may have: `MAX_ENDPOINTS`
 */
export function endpointLimit(plan: string, installation: number): number {
  const known = PLAN_NAMES.find((name) => name === plan)
  const most = known === undefined ? 0 : PLANS[known].limits.endpoints
  return most === 0 ? installation : Math.min(most, installation)
}

/**
 * The rate of an endpoint that is in force: at most the plan's, also where the endpoint has none.
 * @param asked deliveries a second; 0: no limit, as in the answer
 */
export function effectiveRate(asked: number, plan: PlanName): number {
  const most = PLANS[plan].limits.endpointRatePerSec
  if (most === 0) return asked
  return asked === 0 ? most : Math.min(asked, most)
}

/** The smallest plan that allows so many endpoints; null: none does. */
export function planForEndpoints(count: number, installation: number): PlanName | null {
  if (count > installation) return null
  return PLAN_NAMES.find((plan) => endpointLimit(plan, Number.POSITIVE_INFINITY) >= count) ?? null
}
