/**
 * Changes of plan at Stripe. Up, to a larger plan or from months to years, goes at once: the rest
 * of the paid period is credited and the difference charged, or nothing changes where the payment
 * fails. Down goes at the end of the period, by a schedule of two phases: what is, and what is to
 * be.
 */
import type { PlanChangePreview, StripePrices } from '@posthorn/contracts/billing'
import { ApiError } from '@posthorn/contracts/errors'
import { PLAN_NAMES } from '@posthorn/domain/plans'
import type Stripe from 'stripe'
import type { PlanChoice } from '../billing-provider.ts'
import { atSeconds, type FoundSubscription } from './find-subscription.ts'
import { priceFor } from './stripe-prices.ts'

export async function changeSubscription(
  stripe: Stripe,
  prices: StripePrices,
  found: FoundSubscription,
  choice: PlanChoice,
): Promise<void> {
  const price = priceFor(prices, choice)
  if (directionOf(found, choice) === 'down') return await schedule(stripe, found, price, choice)
  if (found.schedule !== null) await dropSchedule(stripe, found.schedule)
  await stripe.subscriptions.update(found.id, {
    items: [{ id: found.itemId, price, quantity: 1 }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  })
}

export async function previewSubscriptionChange(
  stripe: Stripe,
  prices: StripePrices,
  found: FoundSubscription,
  choice: PlanChoice,
): Promise<PlanChangePreview> {
  const price = priceFor(prices, choice)
  const isUp = directionOf(found, choice) === 'up'
  const { unit_amount: amount, currency } = await stripe.prices.retrieve(price)
  const common = { ...choice, currency, recurringAmount: amount ?? 0 }
  if (!isUp) {
    const effectiveAt = atSeconds(found.periodEnd).toISOString()
    return { ...common, effective: 'period_end', effectiveAt, amountDue: 0, lines: [] }
  }
  const invoice = await stripe.invoices.createPreview({
    customer: found.customerId,
    subscription: found.id,
    subscription_details: {
      items: [{ id: found.itemId, price, quantity: 1 }],
      proration_behavior: 'always_invoice',
    },
  })
  return {
    ...common,
    effective: 'immediately',
    effectiveAt: atSeconds(invoice.created).toISOString(),
    amountDue: invoice.amount_due,
    lines: invoice.lines.data.map(toLine),
  }
}

/** Releasing a schedule leaves its subscription as it is. */
export async function dropSchedule(
  stripe: Stripe,
  { id }: Pick<Stripe.SubscriptionSchedule, 'id'>,
): Promise<void> {
  await stripe.subscriptionSchedules.release(id)
}

function toLine(line: Stripe.InvoiceLineItem): PlanChangePreview['lines'][number] {
  const { parent, period, description, amount } = line
  const { proration = false } =
    parent?.subscription_item_details ?? parent?.invoice_item_details ?? {}
  return {
    description: description ?? '',
    amount,
    proration,
    periodStart: atSeconds(period.start).toISOString(),
    periodEnd: atSeconds(period.end).toISOString(),
  }
}

/** @throws ApiError where there is nothing to change, or the subscription ends anyway */
function directionOf(found: FoundSubscription, choice: PlanChoice): 'up' | 'down' {
  if (found.cancelAtPeriodEnd) {
    throw new ApiError('INVALID_STATE', 'the subscription is cancelled: resume it first')
  }
  const step = PLAN_NAMES.indexOf(choice.planId) - PLAN_NAMES.indexOf(found.planId)
  if (step !== 0) return step > 0 ? 'up' : 'down'
  if (choice.cycle !== found.cycle) return choice.cycle === 'annual' ? 'up' : 'down'
  throw new ApiError(
    'INVALID_STATE',
    found.scheduledChange === null
      ? 'the subscription has this plan and cycle already'
      : 'the subscription has this plan and cycle already: remove the scheduled change to keep it',
  )
}

/** Should the second call fail, the schedule holds the present phase alone, and changes nothing. */
async function schedule(
  stripe: Stripe,
  found: FoundSubscription,
  price: string,
  { cycle }: PlanChoice,
): Promise<void> {
  const { id, current_phase: current } =
    found.schedule ?? (await stripe.subscriptionSchedules.create({ from_subscription: found.id }))
  await stripe.subscriptionSchedules.update(id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    phases: [
      {
        items: [{ price: found.priceId, quantity: 1 }],
        start_date: current?.start_date ?? found.periodStart,
        end_date: found.periodEnd,
      },
      {
        items: [{ price, quantity: 1 }],
        duration: { interval: cycle === 'annual' ? 'year' : 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  })
}
