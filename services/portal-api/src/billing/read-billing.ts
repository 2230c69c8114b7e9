/** Reads what a workspace has, what it paid, and what it could have. */
import {
  BILLING_CYCLES,
  type BillingInvoice,
  type BillingPlan,
  type BillingSubscription,
} from '@posthorn/contracts/billing'
import { FEATURES, hasFeature, PLAN_NAMES, type PlanName, PLANS } from '@posthorn/domain/plans'
import type { Caller, Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import type { BillingProvider } from './billing-provider.ts'
import type { Customers } from './customers.ts'

export interface ReadBillingDeps {
  database: Pick<Database, 'subscription'>
  provider: Pick<BillingProvider, 'name' | 'listPrices' | 'listInvoices'>
  customers: Pick<Customers, 'find'>
}

type ReadHandlers = Pick<
  Handlers<'portal-api'>,
  'getBillingOverview' | 'listBillingPlans' | 'getSubscription' | 'listInvoices'
>

const NAMES: Readonly<Record<PlanName, string>> = {
  free: 'Free',
  starter: 'Starter',
  growth: 'Growth',
  scale: 'Scale',
  self_hosted: 'Self-hosted',
}

export type ReadSubscription = (tenantId: string) => Promise<BillingSubscription | null>

export function createReadSubscription({
  database,
}: Pick<ReadBillingDeps, 'database'>): ReadSubscription {
  return async (tenantId) => {
    const row = await database.subscription.findUnique({ where: { tenantId } })
    if (row === null || row.subscriptionId === null) return null
    return {
      planId: row.plan,
      cycle: BILLING_CYCLES.find((cycle) => cycle === row.cycle) ?? 'monthly',
      status: row.status,
      currentPeriodStart: row.currentPeriodStart?.toISOString() ?? null,
      currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
      cancelAtPeriodEnd: row.cancelAtPeriodEnd,
      // As `sync-subscription.ts` wrote it.
      scheduledChange: row.scheduledChange as BillingSubscription['scheduledChange'],
    }
  }
}

export function createReadBilling(deps: ReadBillingDeps): ReadHandlers {
  const { provider, customers } = deps
  const readSubscription = createReadSubscription(deps)

  async function listInvoices({ tenantId }: Caller): Promise<BillingInvoice[]> {
    const customer = await customers.find(tenantId)
    return customer === null ? [] : await provider.listInvoices(customer.customerId)
  }

  async function listPlans(caller: Caller): Promise<BillingPlan[]> {
    const prices = new Map((await provider.listPrices()).map((price) => [price.planId, price]))
    // Where plans are sold, nobody can choose that of an installation of one's own.
    const offered = PLAN_NAMES.filter(
      (plan) => provider.name === 'none' || plan !== 'self_hosted' || plan === caller.plan,
    )
    return offered.map((plan) => {
      const { monthly = null, annual = null, currency = null } = prices.get(plan) ?? {}
      const features = FEATURES.map((feature) => [feature, hasFeature(plan, feature)])
      return {
        id: plan,
        name: NAMES[plan],
        monthly,
        annual,
        currency,
        limits: PLANS[plan].limits,
        features: Object.fromEntries(features) as Record<string, boolean>,
      }
    })
  }

  return {
    async getBillingOverview({ caller }) {
      const [subscription, invoices, plans] = await Promise.all([
        readSubscription(caller.tenantId),
        listInvoices(caller),
        listPlans(caller),
      ])
      return { plan: caller.plan, subscription, invoices, plans }
    },
    listBillingPlans: async ({ caller }) => ({ plans: await listPlans(caller) }),
    getSubscription: async ({ caller }) => ({
      subscription: await readSubscription(caller.tenantId),
    }),
    listInvoices: async ({ caller }) => ({ invoices: await listInvoices(caller) }),
  }
}
