/**
 * Hears from Stripe that a subscription may have changed. Whoever can't prove to be Stripe learns
 * nothing. An event that can't be handled is not answered with success, and Stripe sends it again
 * for three days.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { Log } from '@posthorn/runtime/log'
import type { Database } from '@posthorn/store/prisma'
import type { BillingProvider } from './billing-provider.ts'
import type { Customers } from './customers.ts'
import type { SyncSubscription } from './sync-subscription.ts'

export interface ReceiveStripeEventDeps {
  database: Pick<Database, 'billingEvent'>
  provider: Pick<BillingProvider, 'readEvent'>
  customers: Pick<Customers, 'identify'>
  sync: SyncSubscription
  log: Pick<Log, 'info'>
}

export function createReceiveStripeEvent(
  deps: ReceiveStripeEventDeps,
): Handlers<'portal-api'>['receiveStripeEvent'] {
  return async ({ text, header }) => {
    const event = await deps.provider.readEvent(text, header('stripe-signature') ?? '')
    if (event === null) {
      throw new ApiError('BAD_REQUEST', "Stripe's signature is missing, wrong or too old")
    }
    const outcome = await handle(event)
    deps.log.info('billing.event', { eventId: event.id, type: event.type, outcome })
    return { received: true }
  }

  async function handle(event: NonNullable<Awaited<ReturnType<BillingProvider['readEvent']>>>) {
    if (event.customerId === null) return 'ignored'
    const handled = await deps.database.billingEvent.findUnique({ where: { id: event.id } })
    if (handled !== null) return 'repeated'
    const customer = await deps.customers.identify(event.customerId)
    // Stripe's account may serve other products as well.
    if (customer === null) return 'unknown-customer'
    await deps.sync(customer, { event })
    return 'handled'
  }
}
