/** Bodies and answers of the billing routes. Amounts are in cents, or the like of the currency. */
import { PLAN_NAMES } from '@posthorn/domain/plans'
import { z } from 'zod'

export const BILLING_CYCLES = ['monthly', 'annual'] as const
export type BillingCycle = (typeof BILLING_CYCLES)[number]

const cycle = z.enum(BILLING_CYCLES)

const priceId = z.string().regex(/^[A-Za-z0-9_]{1,255}$/, 'must be the id of a price')
const priceIds = z
  .union([priceId, z.array(priceId).min(1)])
  .transform((ids) => (typeof ids === 'string' ? [ids] : ids))

/**
 * The ids of Stripe's prices by plan and cycle. Of several the first is sold; those behind it were
 * sold before, and whoever still pays one has the plan.
 */
export const StripePrices = z
  .partialRecord(
    z.enum(PLAN_NAMES),
    z.strictObject({ monthly: priceIds, annual: priceIds }).partial(),
  )
  .refine((prices) => {
    const ids = Object.values(prices).flatMap((cycles) => Object.values(cycles).flat())
    return new Set(ids).size === ids.length
  }, 'must name each price once')
export type StripePrices = z.infer<typeof StripePrices>

export const ChoosePlan = z.strictObject({
  planId: z.enum(PLAN_NAMES),
  cycle: cycle.default('monthly'),
})
export type ChoosePlan = z.infer<typeof ChoosePlan>

export const BillingSubscription = z.object({
  planId: z.string(),
  cycle,
  /** The billing provider's word, such as `active` or `past_due`. */
  status: z.string(),
  currentPeriodStart: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  scheduledChange: z.object({ planId: z.string(), cycle, effectiveAt: z.string() }).nullable(),
})
export type BillingSubscription = z.infer<typeof BillingSubscription>

export const BillingInvoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  amountDue: z.int(),
  amountPaid: z.int(),
  currency: z.string(),
  status: z.string(),
  createdAt: z.string(),
  hostedUrl: z.string().nullable(),
  pdfUrl: z.string().nullable(),
})
export type BillingInvoice = z.infer<typeof BillingInvoice>

export const BillingPlan = z.object({
  id: z.string(),
  name: z.string(),
  /** What it costs; null: it is not sold by the month. */
  monthly: z.int().nullable(),
  annual: z.int().nullable(),
  currency: z.string().nullable(),
  limits: z.object({
    eventsPerMonth: z.int(),
    requestsPerSecond: z.int(),
    endpoints: z.int(),
    endpointRatePerSec: z.int(),
    retentionDays: z.object({
      events: z.int(),
      attempts: z.int(),
      auditLogs: z.int(),
      authAudit: z.int(),
    }),
  }),
  features: z.record(z.string(), z.boolean()),
})
export type BillingPlan = z.infer<typeof BillingPlan>

export const SubscriptionAnswer = z.object({ subscription: BillingSubscription.nullable() })
export const InvoicesAnswer = z.object({ invoices: z.array(BillingInvoice) })
export const PlansAnswer = z.object({ plans: z.array(BillingPlan) })
export const BillingOverview = z.object({
  /** The plan in force, with or without a subscription. */
  plan: z.string(),
  ...SubscriptionAnswer.shape,
  ...InvoicesAnswer.shape,
  ...PlansAnswer.shape,
})

export const ProviderPage = z.object({ url: z.string() })

export const PlanChangePreview = z.object({
  planId: z.string(),
  cycle,
  /** Up at once, down at the end of the period. */
  effective: z.enum(['immediately', 'period_end']),
  effectiveAt: z.string(),
  currency: z.string(),
  /** What is charged when the change is made, proration included. */
  amountDue: z.int(),
  /** What each further period costs. */
  recurringAmount: z.int(),
  lines: z.array(
    z.object({
      description: z.string(),
      amount: z.int(),
      proration: z.boolean(),
      periodStart: z.string(),
      periodEnd: z.string(),
    }),
  ),
})
export type PlanChangePreview = z.infer<typeof PlanChangePreview>

export const WebhookReceived = z.object({ received: z.literal(true) })
