/**
 * The one subscription of a customer that counts. A customer can have had several, and two at once
 * where somebody paid in two windows: the one in force counts, and of those the newest, so that
 * news of an old one that ended changes nothing.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { StripePrices } from '@posthorn/contracts/billing'
import type Stripe from 'stripe'
import { isInForce, type PlanChoice, type ProvidedSubscription } from '../billing-provider.ts'
import { choiceOf } from './stripe-prices.ts'

export interface FoundSubscription extends PlanChoice {
  id: string
  customerId: string
  itemId: string
  priceId: string
  status: string
  isInForce: boolean
  /** Unix seconds, as Stripe has them. */
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  schedule: Stripe.SubscriptionSchedule | null
  scheduledChange: (PlanChoice & { at: number }) | null
}

const MAX_SUBSCRIPTIONS = 100

export async function findSubscription(
  stripe: Stripe,
  prices: StripePrices,
  customerId: string,
): Promise<FoundSubscription | null> {
  const { data } = await stripe.subscriptions.list({
    customer: customerId,
    status: 'all',
    limit: MAX_SUBSCRIPTIONS,
    expand: ['data.schedule'],
  })
  const ranked = data.toSorted(
    (a, b) => Number(isInForce(b)) - Number(isInForce(a)) || b.created - a.created,
  )
  const known = ranked
    .map((subscription) => toFound(subscription, prices))
    .filter((found) => found !== null)
  const [best] = known
  const unknown = ranked.find((one) => isInForce(one) && toFound(one, prices) === null)
  if (best?.isInForce !== true && unknown !== undefined) {
    // Guessing would take away a plan that somebody pays for.
    throw new Error(
      `STRIPE_PRICES does not name the price of the subscription ${unknown.id}: add it`,
    )
  }
  return best ?? null
}

/** @throws ApiError without one in force */
export async function requireSubscription(
  stripe: Stripe,
  prices: StripePrices,
  customerId: string,
): Promise<FoundSubscription> {
  const found = await findSubscription(stripe, prices, customerId)
  if (found?.isInForce === true) return found
  throw new ApiError('INVALID_STATE', 'there is no subscription: choose a plan with a checkout')
}

function toFound(
  subscription: Stripe.Subscription,
  prices: StripePrices,
): FoundSubscription | null {
  const item = subscription.items.data.find(({ price }) => choiceOf(prices, price.id) !== null)
  const choice = item === undefined ? null : choiceOf(prices, item.price.id)
  if (item === undefined || choice === null) return null
  const { id, customer, status, schedule } = subscription
  const isScheduled = typeof schedule === 'object' && schedule !== null && isLive(schedule)
  return {
    ...choice,
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    itemId: item.id,
    priceId: item.price.id,
    status,
    isInForce: isInForce(subscription),
    // They are the item's: items of one subscription may have different cycles.
    periodStart: item.current_period_start,
    periodEnd: item.current_period_end,
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    schedule: isScheduled ? schedule : null,
    scheduledChange: isScheduled ? nextPhase(schedule, prices) : null,
  }
}

function isLive({ status }: Stripe.SubscriptionSchedule): boolean {
  return status === 'active' || status === 'not_started'
}

function nextPhase(
  { phases, current_phase: current }: Stripe.SubscriptionSchedule,
  prices: StripePrices,
): FoundSubscription['scheduledChange'] {
  const from = current?.end_date ?? 0
  const next = phases.find(({ start_date }) => start_date >= from)
  if (next === undefined) return null
  for (const { price } of next.items) {
    const choice = choiceOf(prices, typeof price === 'string' ? price : price.id)
    if (choice !== null) return { ...choice, at: next.start_date }
  }
  return null
}

export function toProvided(found: FoundSubscription): ProvidedSubscription {
  const { id, planId, cycle, status, cancelAtPeriodEnd, scheduledChange } = found
  return {
    id,
    planId,
    cycle,
    status,
    cancelAtPeriodEnd,
    currentPeriodStart: atSeconds(found.periodStart),
    currentPeriodEnd: atSeconds(found.periodEnd),
    scheduledChange:
      scheduledChange === null
        ? null
        : {
            planId: scheduledChange.planId,
            cycle: scheduledChange.cycle,
            effectiveAt: atSeconds(scheduledChange.at),
          },
  }
}

export function atSeconds(seconds: number): Date {
  return new Date(seconds * 1_000)
}
