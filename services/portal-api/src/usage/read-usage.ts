/** What the plan of the caller's workspace allows, and how much of it is used. */
import type { CurrentUsage, Entitlements } from '@posthorn/contracts/usage'
import { FEATURES, type Feature, hasFeature, PLANS } from '@posthorn/domain/plans'
import { monthOf, monthText, startOfMonth } from '@posthorn/domain/usage-period'
import type { Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { readUsageHistory, readUsed } from '@posthorn/store/usage/usage-rows'

export interface ReadUsageDeps {
  pool: Pool
  /** Postgres's time in ms. */
  now(): number
}

export function createReadUsage({
  pool,
  now,
}: ReadUsageDeps): Pick<
  Handlers<'portal-api'>,
  'getEntitlements' | 'getCurrentUsage' | 'getUsageHistory'
> {
  return {
    getEntitlements: async ({ caller: { plan } }): Promise<Entitlements> => ({
      plan,
      limits: PLANS[plan].limits,
      features: Object.fromEntries(
        FEATURES.map((name) => [name, hasFeature(plan, name)]),
      ) as Record<Feature, boolean>,
    }),
    async getCurrentUsage({ caller }): Promise<CurrentUsage> {
      const { tenantId, plan } = caller
      const month = monthOf(now())
      const used = await readUsed(pool, [{ tenantId, month }])
      const events = used.get(tenantId) ?? 0
      const limit = PLANS[plan].limits.eventsPerMonth
      const end = startOfMonth(month + 1).toISOString()
      return {
        period: { start: startOfMonth(month).toISOString(), end },
        events,
        limit,
        remaining: limit === 0 ? null : Math.max(0, limit - events),
        resetsAt: end,
      }
    },
    async getUsageHistory({ caller, query }) {
      const last = monthOf(now())
      const first = last - query.months + 1
      const months = await readUsageHistory(pool, caller.tenantId, { first, last })
      return { data: months.map((usage) => ({ ...usage, month: monthText(usage.month) })) }
    },
  }
}
