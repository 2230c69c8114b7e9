/**
 * A portal that bills by a double of Stripe, and what its tests do to it. The state is that of the
 * test file that calls `useStripeBilling`.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { createTestDatabase } from '@posthorn/testing/databases'
import { startTestPortal, type Tenant, type TestPortal } from '../portal.fixture.ts'
import {
  startStripeDouble,
  STRIPE_PRICES,
  type StripeDouble,
} from './stripe/stripe-double.fixture.ts'
import { createStripeBilling } from './stripe/stripe-provider.ts'

interface Write {
  method: string
  path: string
  body?: object
}

export const WRITES: readonly Write[] = [
  { method: 'POST', path: '/billing/checkout', body: { planId: 'growth' } },
  { method: 'POST', path: '/billing/preview-update', body: { planId: 'growth', cycle: 'annual' } },
  { method: 'POST', path: '/billing/update', body: { planId: 'growth' } },
  { method: 'POST', path: '/billing/cancel' },
  { method: 'POST', path: '/billing/resume' },
  { method: 'DELETE', path: '/billing/scheduled-change' },
  { method: 'POST', path: '/billing/portal' },
]

export let stripe: StripeDouble
export let portal: TestPortal
/** A new one for each test. */
export let tenant: Tenant
export let other: Tenant

export function useStripeBilling(): void {
  beforeAll(async () => {
    stripe = await startStripeDouble()
    const billing = createStripeBilling({
      secretKey: 'sk_test_1',
      webhookSecret: stripe.webhookSecret,
      prices: STRIPE_PRICES,
      returnUrl: 'https://hooks.example.com/billing',
      apiUrl: stripe.apiUrl,
    })
    const database = await createTestDatabase()
    portal = await startTestPortal(database, database.url, { billing })
    other = await portal.addTenant()
  })
  afterAll(async () => {
    await portal.close()
    await stripe.close()
  })
  beforeEach(async () => {
    tenant = await portal.addTenant()
    stripe.calls.length = 0
  })
  afterEach(() => {
    stripe.refuse = null
    stripe.beforeAnswer = async () => {}
  })
}

/** The customer that a checkout makes. */
export async function becomeCustomer(): Promise<string> {
  const { status } = await tenant.call('POST', '/billing/checkout', { planId: 'growth' })
  expect(status).toBe(200)
  const made = [...stripe.customers.values()].find(
    ({ metadata }) => metadata.tenant_id === tenant.tenantId,
  )
  return made.id
}

export async function deliver(body: string, signature = stripe.sign(body)) {
  return await tenant.call('POST', '/billing/stripe/webhook', body, {
    'X-API-Key': '',
    'Content-Type': 'application/json; charset=utf-8',
    'Stripe-Signature': signature,
  })
}

export async function hear(object: object, type?: string): Promise<void> {
  expect(await deliver(stripe.event(object, type))).toMatchObject({
    status: 200,
    body: { received: true },
  })
}

/** A subscription that somebody paid for. */
export async function subscribe(price = 'price_growth_m') {
  const subscription = stripe.addSubscription(await becomeCustomer(), price)
  await hear(subscription, 'customer.subscription.created')
  stripe.calls.length = 0
  return subscription
}

export async function subscriptionOf(who: Tenant) {
  return (await who.call('GET', '/billing/subscription')).body.subscription
}

export async function planOf(who: Tenant): Promise<string> {
  return (await who.call('GET', '/billing/overview')).body.plan
}

/** The requests that Stripe got at a path. */
export function called(path: string) {
  return stripe.calls.filter((call) => call.path === path)
}
