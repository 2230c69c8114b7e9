/** Which of Stripe's prices stands for which plan and cycle, and what it costs. */
import type { BillingCycle, StripePrices } from '@posthorn/contracts/billing'
import { ApiError } from '@posthorn/contracts/errors'
import { PLAN_NAMES, type PlanName } from '@posthorn/domain/plans'
import type Stripe from 'stripe'
import type { PlanChoice, PlanPrice } from '../billing-provider.ts'

/** Prices change seldom, and asking Stripe takes a third of a second. */
const KEPT_MS = 600_000

/** @throws ApiError where the plan is not sold so */
export function priceFor(prices: StripePrices, { planId, cycle }: PlanChoice): string {
  const [price] = prices[planId]?.[cycle] ?? []
  if (price !== undefined) return price
  throw new ApiError('BAD_REQUEST', `the plan ${planId} is not sold with the cycle ${cycle}`, {
    details: [
      { path: 'planId', message: 'choose a plan and cycle that GET /billing/plans prices' },
    ],
  })
}

/** What a price stands for; null: the settings do not name it. */
export function choiceOf(prices: StripePrices, priceId: string): PlanChoice | null {
  for (const [planId, cycles] of Object.entries(prices))
    for (const [cycle, ids] of Object.entries(cycles))
      if (ids.includes(priceId)) return { planId: planId as PlanName, cycle: cycle as BillingCycle }
  return null
}

/** Reads what the prices that are sold cost, at most every ten minutes. */
export function createPriceList(
  prices: StripePrices,
): (stripe: Pick<Stripe, 'prices'>) => Promise<PlanPrice[]> {
  let known: { list: PlanPrice[]; readAt: number } | undefined
  return async (stripe) => {
    if (known !== undefined && performance.now() - known.readAt < KEPT_MS) return known.list
    const readAt = performance.now()
    const list = await readPrices(prices, stripe)
    known = { list, readAt }
    return list
  }
}

async function readPrices(
  prices: StripePrices,
  stripe: Pick<Stripe, 'prices'>,
): Promise<PlanPrice[]> {
  const read = async (id: string | undefined) =>
    id === undefined ? null : await stripe.prices.retrieve(id)
  const sold = PLAN_NAMES.filter((planId) => prices[planId] !== undefined)
  return await Promise.all(
    sold.map(async (planId) => {
      const [monthly, annual] = await Promise.all([
        read(prices[planId]?.monthly?.[0]),
        read(prices[planId]?.annual?.[0]),
      ])
      return {
        planId,
        monthly: monthly?.unit_amount ?? null,
        annual: annual?.unit_amount ?? null,
        currency: (monthly ?? annual)?.currency ?? '',
      }
    }),
  )
}
