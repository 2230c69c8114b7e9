/**
 * Changes what a workspace pays for. The provider makes the change; our row is then copied from
 * there at once, so that the plan is in force when the change is answered.
 */
import type { Handlers } from '@posthorn/http/handlers'
import type { BillingCustomer, BillingProvider } from './billing-provider.ts'
import type { Customers } from './customers.ts'
import type { ReadSubscription } from './read-billing.ts'
import type { SyncSubscription } from './sync-subscription.ts'

export interface ChangeBillingDeps {
  provider: BillingProvider
  customers: Pick<Customers, 'require' | 'findOrCreate'>
  sync: SyncSubscription
  readSubscription: ReadSubscription
}

type ChangeHandlers = Pick<
  Handlers<'portal-api'>,
  | 'checkOut'
  | 'previewPlanChange'
  | 'changePlan'
  | 'cancelSubscription'
  | 'resumeSubscription'
  | 'dropScheduledChange'
  | 'openBillingPortal'
>

export function createChangeBilling(deps: ChangeBillingDeps): ChangeHandlers {
  const { provider, customers, sync, readSubscription } = deps

  async function change(tenantId: string, make: (customer: BillingCustomer) => Promise<void>) {
    const customer = await customers.require(tenantId)
    await make(customer)
    await sync(customer)
    return { subscription: await readSubscription(tenantId) }
  }

  return {
    async checkOut({ caller, body }) {
      const customer = await customers.findOrCreate(caller.tenantId)
      return { url: await provider.checkOut(customer, body) }
    },
    async previewPlanChange({ caller, body }) {
      return await provider.previewChange(await customers.require(caller.tenantId), body)
    },
    changePlan: ({ caller, body }) =>
      change(caller.tenantId, (customer) => provider.change(customer, body)),
    cancelSubscription: ({ caller }) => change(caller.tenantId, provider.cancel),
    resumeSubscription: ({ caller }) => change(caller.tenantId, provider.resume),
    async dropScheduledChange({ caller }) {
      await change(caller.tenantId, provider.dropScheduledChange)
      return undefined
    },
    async openBillingPortal({ caller }) {
      const customer = await customers.findOrCreate(caller.tenantId)
      return { url: await provider.openPortal(customer) }
    },
  }
}
