/**
 * What a billing provider does for us. Ours is not the record of who pays for what: the provider's
 * is, and the row in `subscriptions` is a copy of it, made anew whenever something changed there.
 */
import type { BillingCycle, BillingInvoice, PlanChangePreview } from '@posthorn/contracts/billing'
import { type PlanName, STATUSES_IN_FORCE } from '@posthorn/domain/plans'

export interface PlanChoice {
  planId: PlanName
  cycle: BillingCycle
}

/** A customer's subscription, as the provider has it. */
export interface ProvidedSubscription extends PlanChoice {
  id: string
  status: string
  currentPeriodStart: Date
  currentPeriodEnd: Date
  cancelAtPeriodEnd: boolean
  scheduledChange: (PlanChoice & { effectiveAt: Date }) | null
}

export interface PlanPrice {
  planId: PlanName
  /** In cents; null: not sold so. */
  monthly: number | null
  annual: number | null
  currency: string
}

export interface BillingCustomer {
  tenantId: string
  customerId: string
}

/** Something changed at the provider. */
export interface BillingEvent {
  id: string
  type: string
  /** null: the event is about nobody's subscription. */
  customerId: string | null
}

/** Calls fail with an `ApiError` where the caller can do something about it. */
export interface BillingProvider {
  readonly name: 'none' | 'stripe'
  listPrices(): Promise<PlanPrice[]>
  /** Again for the same tenant it answers the same customer. */
  createCustomer(tenant: { tenantId: string; name: string }): Promise<string>
  /** The tenant that a customer was created for; null: none of ours. */
  tenantOf(customerId: string): Promise<string | null>
  /** The one in force, else the last one; null: there never was one. */
  readSubscription(customerId: string): Promise<ProvidedSubscription | null>
  listInvoices(customerId: string): Promise<BillingInvoice[]>
  /** The address of a page where the plan is paid for, or its change confirmed. */
  checkOut(customer: BillingCustomer, choice: PlanChoice): Promise<string>
  previewChange(customer: BillingCustomer, choice: PlanChoice): Promise<PlanChangePreview>
  change(customer: BillingCustomer, choice: PlanChoice): Promise<void>
  cancel(customer: BillingCustomer): Promise<void>
  resume(customer: BillingCustomer): Promise<void>
  dropScheduledChange(customer: BillingCustomer): Promise<void>
  openPortal(customer: BillingCustomer): Promise<string>
  /** null: the provider did not sign this, or did so too long ago. */
  readEvent(body: string, signature: string): Promise<BillingEvent | null>
}

export function isInForce({ status }: { status: string }): boolean {
  return STATUSES_IN_FORCE.includes(status)
}
