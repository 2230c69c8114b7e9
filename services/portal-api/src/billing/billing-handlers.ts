/** Wires the routes of billing to a provider. */
import type { Log } from '@posthorn/runtime/log'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import type { BillingProvider } from './billing-provider.ts'
import { createChangeBilling } from './change-billing.ts'
import { createCustomers } from './customers.ts'
import { createReadBilling, createReadSubscription } from './read-billing.ts'
import { createReceiveStripeEvent } from './receive-stripe-event.ts'
import { createSyncSubscription } from './sync-subscription.ts'

export interface BillingDeps {
  database: Database
  billing: BillingProvider
  announceChange: AnnounceChange
  log: Pick<Log, 'info'>
}

export function createBillingHandlers({ database, billing, announceChange, log }: BillingDeps) {
  const provider = billing
  const customers = createCustomers({ database, provider })
  const sync = createSyncSubscription({ database, provider, announceChange })
  const readSubscription = createReadSubscription({ database })
  return {
    ...createReadBilling({ database, provider, customers }),
    ...createChangeBilling({ database, provider, customers, sync, readSubscription }),
    receiveStripeEvent: createReceiveStripeEvent({ database, provider, customers, sync, log }),
  }
}
