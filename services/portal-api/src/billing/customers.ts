/**
 * Which customer of the billing provider a workspace is. The row in `subscriptions` is made with
 * the customer; without a subscription its status is `incomplete`, and its plan not in force.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { isUuid } from '@posthorn/domain/ids'
import type { Database } from '@posthorn/store/prisma'
import type { BillingCustomer, BillingProvider } from './billing-provider.ts'

export interface CustomersDeps {
  database: Pick<Database, 'tenant' | 'subscription' | '$queryRaw'>
  provider: BillingProvider
}

export interface Customers {
  /** null: the workspace never had anything to do with the provider. */
  find(tenantId: string): Promise<BillingCustomer | null>
  /** @throws ApiError where there is none yet, or no provider */
  require(tenantId: string): Promise<BillingCustomer>
  findOrCreate(tenantId: string): Promise<BillingCustomer>
  /** Who a customer of the provider's is; null: somebody that this installation does not know. */
  identify(customerId: string): Promise<BillingCustomer | null>
}

export function createCustomers({ database, provider }: CustomersDeps): Customers {
  async function find(tenantId: string): Promise<BillingCustomer | null> {
    const row = await database.subscription.findUnique({
      where: { tenantId },
      select: { customerId: true },
    })
    return row === null || row.customerId === null ? null : { tenantId, customerId: row.customerId }
  }

  /** Two requests at once both get the customer of the first. */
  async function keep(tenantId: string, customerId: string): Promise<BillingCustomer> {
    const rows = await database.$queryRaw<BillingCustomer[]>`
      INSERT INTO subscriptions AS s (tenant_id, plan, cycle, status, customer_id)
      VALUES (${tenantId}::uuid, 'free', 'monthly', 'incomplete', ${customerId})
      ON CONFLICT (tenant_id) DO UPDATE SET customer_id = COALESCE(s.customer_id, ${customerId})
      RETURNING tenant_id AS "tenantId", customer_id AS "customerId"`
    return rows[0] as BillingCustomer
  }

  return {
    find,

    async require(tenantId) {
      // The provider `none` has its own refusal for whatever is asked of it.
      if (provider.name === 'none') return { tenantId, customerId: '' }
      const known = await find(tenantId)
      if (known !== null) return known
      throw new ApiError('INVALID_STATE', 'there is no subscription: choose a plan with a checkout')
    },

    async findOrCreate(tenantId) {
      const known = await find(tenantId)
      if (known !== null) return known
      const { name } = await database.tenant.findUniqueOrThrow({
        where: { id: tenantId },
        select: { name: true },
      })
      return await keep(tenantId, await provider.createCustomer({ tenantId, name }))
    },

    async identify(customerId) {
      const row = await database.subscription.findFirst({
        where: { customerId },
        select: { tenantId: true },
      })
      if (row !== null) return { tenantId: row.tenantId, customerId }
      // It may have been made by a request that ended before it could write the row.
      const tenantId = await provider.tenantOf(customerId)
      if (tenantId === null || !isUuid(tenantId)) return null
      const tenant = await database.tenant.findUnique({ where: { id: tenantId } })
      if (tenant === null) return null
      const kept = await keep(tenantId, customerId)
      return kept.customerId === customerId ? kept : null
    },
  }
}
