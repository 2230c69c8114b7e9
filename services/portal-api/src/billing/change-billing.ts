/**
 * Changes what a workspace pays for. The provider makes the change; our row is then copied from
 * there at once, so that the plan is in force when the change is answered.
 */
import type { ApiRequest, Handlers } from '@posthorn/http/handlers'
import { type AuditClient, recordAudit } from '@posthorn/store/audit/record-audit'
import type { BillingCustomer, BillingProvider } from './billing-provider.ts'
import type { Customers } from './customers.ts'
import type { ReadSubscription } from './read-billing.ts'
import type { SyncSubscription } from './sync-subscription.ts'

export interface ChangeBillingDeps {
  database: AuditClient
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
  const { database, provider, customers, sync, readSubscription } = deps

  async function change(
    { caller: { tenantId }, audit }: Pick<ApiRequest<unknown, undefined>, 'caller' | 'audit'>,
    make: (customer: BillingCustomer) => Promise<void>,
  ) {
    const customer = await customers.require(tenantId)
    await make(customer)
    await sync(customer, { audit })
    return { subscription: await readSubscription(tenantId) }
  }

  return {
    async checkOut({ caller: { tenantId }, body, audit }) {
      const customer = await customers.findOrCreate(tenantId)
      const url = await provider.checkOut(customer, body)
      await recordAudit(database, audit, { resourceId: tenantId, metadata: { ...body } })
      return { url }
    },
    async previewPlanChange({ caller, body }) {
      return await provider.previewChange(await customers.require(caller.tenantId), body)
    },
    changePlan: (request) => change(request, (customer) => provider.change(customer, request.body)),
    cancelSubscription: (request) => change(request, provider.cancel),
    resumeSubscription: (request) => change(request, provider.resume),
    async dropScheduledChange(request) {
      await change(request, provider.dropScheduledChange)
      return undefined
    },
    async openBillingPortal({ caller }) {
      const customer = await customers.findOrCreate(caller.tenantId)
      return { url: await provider.openPortal(customer) }
    },
  }
}
