/**
 * Billing by Stripe. Its library has 23 MB and is loaded at the first call, so that an installation
 * without Stripe pays nothing for it.
 */
import { createHash } from 'node:crypto'
import type { StripePrices } from '@posthorn/contracts/billing'
import { ApiError } from '@posthorn/contracts/errors'
import type Stripe from 'stripe'
import type { BillingProvider, PlanChoice } from '../billing-provider.ts'
import {
  changeSubscription,
  dropSchedule,
  previewSubscriptionChange,
} from './change-subscription.ts'
import { findSubscription, requireSubscription, toProvided } from './find-subscription.ts'
import { nullWhereMissing, withStripeErrors } from './stripe-errors.ts'
import { createPriceList, priceFor } from './stripe-prices.ts'
import { createReadStripeEvent } from './read-stripe-event.ts'

export interface StripeBillingConfig {
  secretKey: string
  webhookSecret: string
  prices: StripePrices
  /** Where Stripe's pages lead back to. */
  returnUrl: string
  /** Where its API is. */
  apiUrl: string
}

const TIMEOUT_MS = 10_000
const RETRIES = 2
const MAX_INVOICES = 24

export function createStripeBilling(config: StripeBillingConfig): BillingProvider {
  const { prices, returnUrl } = config
  let opened: Promise<Stripe> | undefined
  const open = (): Promise<Stripe> => (opened ??= openStripe(config))
  const priceList = createPriceList(prices)
  const call = <Answer>(work: (stripe: Stripe) => Promise<Answer>): Promise<Answer> =>
    withStripeErrors(async () => work(await open()))

  return {
    name: 'stripe',
    listPrices: () => call(priceList),
    createCustomer: ({ tenantId, name }) =>
      call(async (stripe) => {
        const customer = await stripe.customers.create(
          { name, metadata: { tenant_id: tenantId } },
          { idempotencyKey: `customer-${tenantId}-${fingerprint(name)}` },
        )
        return customer.id
      }),
    tenantOf: (customerId) =>
      call(async (stripe) => {
        const customer = await stripe.customers.retrieve(customerId).catch(nullWhereMissing)
        if (customer === null || customer.deleted) return null
        return customer.metadata['tenant_id'] ?? null
      }),
    readSubscription: (customerId) =>
      call(async (stripe) => {
        const found = await findSubscription(stripe, prices, customerId)
        return found === null ? null : toProvided(found)
      }),
    listInvoices: (customerId) => call((stripe) => listInvoices(stripe, customerId)),
    checkOut: (customer, choice) =>
      call((stripe) => checkOut(stripe, prices, { ...customer, returnUrl }, choice)),
    previewChange: ({ customerId }, choice) =>
      call(async (stripe) => {
        const found = await requireSubscription(stripe, prices, customerId)
        return await previewSubscriptionChange(stripe, prices, found, choice)
      }),
    change: ({ customerId }, choice) =>
      call(async (stripe) => {
        const found = await requireSubscription(stripe, prices, customerId)
        await changeSubscription(stripe, prices, found, choice)
      }),
    cancel: ({ customerId }) => call((stripe) => cancel(stripe, prices, customerId)),
    resume: ({ customerId }) => call((stripe) => resume(stripe, prices, customerId)),
    dropScheduledChange: ({ customerId }) =>
      call(async (stripe) => {
        const { schedule } = await requireSubscription(stripe, prices, customerId)
        if (schedule === null) {
          throw new ApiError('INVALID_STATE', 'no change of plan is scheduled')
        }
        await dropSchedule(stripe, schedule)
      }),
    openPortal: ({ customerId }) =>
      call(async (stripe) => {
        const { url } = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
        })
        return url
      }),
    readEvent: createReadStripeEvent(open, config.webhookSecret),
  }
}

async function openStripe({ secretKey, apiUrl }: StripeBillingConfig): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiUrl)
  return new Client(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
  })
}

/** A name that was changed must not look like another request under the same key. */
function fingerprint(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16)
}

async function checkOut(
  stripe: Stripe,
  prices: StripePrices,
  { tenantId, customerId, returnUrl }: { tenantId: string; customerId: string; returnUrl: string },
  choice: PlanChoice,
): Promise<string> {
  const price = priceFor(prices, choice)
  const found = await findSubscription(stripe, prices, customerId)
  if (found?.isInForce !== true) {
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customerId,
      client_reference_id: tenantId,
      line_items: [{ price, quantity: 1 }],
      success_url: `${returnUrl}?checkout=success`,
      cancel_url: `${returnUrl}?checkout=cancelled`,
      subscription_data: { metadata: { tenant_id: tenantId } },
    })
    if (url === null) throw new Error('Stripe answered a checkout without an address')
    return url
  }
  // A second subscription would be paid for beside the first.
  const { url } = await stripe.billingPortal.sessions.create({
    customer: customerId,
    return_url: returnUrl,
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: found.id,
        items: [{ id: found.itemId, price, quantity: 1 }],
      },
      after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
    },
  })
  return url
}

async function cancel(stripe: Stripe, prices: StripePrices, customerId: string): Promise<void> {
  const found = await requireSubscription(stripe, prices, customerId)
  // Stripe ends nothing that a schedule goes on to change.
  if (found.schedule !== null) await dropSchedule(stripe, found.schedule)
  await stripe.subscriptions.update(found.id, { cancel_at_period_end: true })
}

async function resume(stripe: Stripe, prices: StripePrices, customerId: string): Promise<void> {
  const found = await requireSubscription(stripe, prices, customerId)
  if (!found.cancelAtPeriodEnd) {
    throw new ApiError('INVALID_STATE', 'the subscription is not cancelled')
  }
  await stripe.subscriptions.update(found.id, { cancel_at_period_end: false })
}

async function listInvoices(stripe: Stripe, customerId: string) {
  const { data } = await stripe.invoices.list({ customer: customerId, limit: MAX_INVOICES })
  return data.map((invoice) => ({
    id: invoice.id,
    number: invoice.number,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    status: invoice.status ?? 'draft',
    createdAt: new Date(invoice.created * 1_000).toISOString(),
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  }))
}
