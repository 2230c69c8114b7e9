/**
 * Events of Stripe, as they come to the webhook. They are not in order and come more than once, so
 * only two things are taken from one: that it is genuine, and whose subscription may have changed.
 */
import type Stripe from 'stripe'
import type { BillingEvent } from '../billing-provider.ts'

/** Stripe signs anew each time it sends, so an older signature is a repetition by somebody else. */
const TOLERANCE_SECONDS = 300

/** The types of events after which a subscription may be another than before. */
const ABOUT_SUBSCRIPTIONS =
  /^(customer\.subscription\.|subscription_schedule\.|checkout\.session\.)/

export function createReadStripeEvent(
  open: () => Promise<Pick<Stripe, 'webhooks'>>,
  secret: string,
): (body: string, signature: string) => Promise<BillingEvent | null> {
  return async (body, signature) => {
    const { webhooks } = await open()
    let event: Stripe.Event
    try {
      event = webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS)
    } catch {
      return null
    }
    const { id, type } = event
    return { id, type, customerId: ABOUT_SUBSCRIPTIONS.test(type) ? customerOf(event) : null }
  }
}

function customerOf({ data }: Stripe.Event): string | null {
  const { customer } = data.object as { customer?: string | { id: string } | null }
  return (typeof customer === 'object' ? customer?.id : customer) ?? null
}
