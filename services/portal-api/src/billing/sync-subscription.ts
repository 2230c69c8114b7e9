/**
 * Copies a customer's subscription from the billing provider into our row, whatever news or change
 * was the reason. Nothing is taken from the news itself, so their order does not matter.
 *
 * Of two copies made at once the one whose reading began later wins: what began earlier may be
 * older, and writes nothing. Should the later one fail, its own reason brings it back: the provider
 * repeats an event that was not answered.
 */
import type { AuditScope } from '@posthorn/contracts/audit'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit, systemAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import type {
  BillingCustomer,
  BillingEvent,
  BillingProvider,
  ProvidedSubscription,
} from './billing-provider.ts'

export interface SyncSubscriptionDeps {
  database: Pick<Database, '$transaction' | '$queryRaw'>
  provider: Pick<BillingProvider, 'readSubscription'>
  announceChange: AnnounceChange
}

/** Why a subscription is copied. */
export interface SyncReason {
  /** Handled with it: it does nothing if it comes again. */
  event?: BillingEvent
  /** The request that has changed it; otherwise the change is the service's own. */
  audit?: AuditScope
}
export type SyncSubscription = (customer: BillingCustomer, reason: SyncReason) => Promise<void>

export function createSyncSubscription(deps: SyncSubscriptionDeps): SyncSubscription {
  return async (customer, { event, audit }) => {
    const reading = await beginReading(deps.database, customer)
    const subscription = await deps.provider.readSubscription(customer.customerId)
    await deps.database.$transaction(async (transaction) => {
      if (event !== undefined) await markHandled(transaction, event)
      const { tenantId } = customer
      const before = await readRow(transaction, tenantId)
      const written = await write(transaction, customer, subscription, reading)
      if (written) await bumpConfigVersion(transaction, tenantId)
      const changes = changesOf(before, await readRow(transaction, tenantId))
      // News that change nothing are no change; a request is one all the same.
      if (audit === undefined && changes.length === 0) return
      const scope = audit ?? systemAudit(tenantId, 'billing.sync')
      await recordAudit(transaction, scope, { resourceId: tenantId, changes })
    })
    deps.announceChange(customer.tenantId, 'plan')
  }
}

async function readRow(
  transaction: Pick<Transaction, 'subscription'>,
  tenantId: string,
): Promise<object | null> {
  const row = await transaction.subscription.findUnique({ where: { tenantId } })
  if (row === null) return null
  const { plan, cycle, status, currentPeriodEnd, cancelAtPeriodEnd, scheduledChange } = row
  const end = currentPeriodEnd?.toISOString() ?? null
  return { plan, cycle, status, currentPeriodEnd: end, cancelAtPeriodEnd, scheduledChange }
}

/** @returns names this reading: a later one has another name */
async function beginReading(
  database: Pick<Database, '$queryRaw'>,
  { tenantId, customerId }: BillingCustomer,
): Promise<string> {
  // The next microsecond, so that each reading has a time of its own.
  const rows = await database.$queryRaw<{ at: string }[]>`
    UPDATE subscriptions
    SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
    WHERE tenant_id = ${tenantId}::uuid AND customer_id = ${customerId}
    RETURNING updated_at::text AS at`
  const [row] = rows
  if (row === undefined) throw new Error(`the workspace ${tenantId} is no longer this customer`)
  return row.at
}

/** Stripe repeats an event for three days. */
const KEPT_EVENTS_DAYS = 30

async function markHandled(
  transaction: Pick<Transaction, '$executeRaw'>,
  { id, type }: BillingEvent,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO billing_events (id, type) VALUES (${id}, ${type}) ON CONFLICT DO NOTHING`
  await transaction.$executeRaw`
    DELETE FROM billing_events
    WHERE received_at < now() - ${KEPT_EVENTS_DAYS} * interval '1 day'`
}

async function write(
  transaction: Pick<Transaction, '$executeRaw'>,
  { tenantId }: BillingCustomer,
  subscription: ProvidedSubscription | null,
  reading: string,
): Promise<boolean> {
  const { id, planId, cycle, status, currentPeriodStart, currentPeriodEnd } =
    subscription ?? NO_SUBSCRIPTION
  const scheduled = subscription?.scheduledChange ?? null
  const count = await transaction.$executeRaw`
    UPDATE subscriptions
    SET plan = ${planId}, cycle = ${cycle}, status = ${status}, subscription_id = ${id},
      current_period_start = ${currentPeriodStart}, current_period_end = ${currentPeriodEnd},
      cancel_at_period_end = ${subscription?.cancelAtPeriodEnd ?? false},
      scheduled_change = ${scheduled === null ? null : JSON.stringify(scheduled)}::jsonb
    WHERE tenant_id = ${tenantId}::uuid AND updated_at = ${reading}::timestamptz`
  return count > 0
}

const NO_SUBSCRIPTION = {
  id: null,
  planId: 'free',
  cycle: 'monthly',
  status: 'incomplete',
  currentPeriodStart: null,
  currentPeriodEnd: null,
}
