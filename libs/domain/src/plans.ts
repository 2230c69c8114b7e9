/**
 * What plans allow. A plan that this version does not know allows as much as the installation does.
 */

/**
 * How many endpoints a workspace may have. A plan without a number has the installation's limit.
 */
const PLAN_ENDPOINTS: Readonly<Record<string, number>> = {
  free: 10,
  starter: 50,
  growth: 500,
  scale: 5_000,
}

/** @param installation the most that any workspace may have: `MAX_ENDPOINTS` */
export function endpointLimit(plan: string, installation: number): number {
  return Math.min(PLAN_ENDPOINTS[plan] ?? installation, installation)
}

/** The smallest plan that allows so many endpoints; null: none does. */
export function planForEndpoints(count: number, installation: number): string | null {
  if (count > installation) return null
  const [plan] = Object.entries(PLAN_ENDPOINTS).find(([, most]) => most >= count) ?? ['self_hosted']
  return plan
}
