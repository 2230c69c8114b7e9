/**
 * Our calls to Stripe against stripe-mock, which Stripe makes from its own description of the API:
 * it refuses what Stripe does not know. It keeps no state; what follows from our calls is shown by
 * the tests of the routes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@posthorn/local-stores/free-port'
import { eventually } from '@posthorn/testing/eventually'
import { ensureGoBinary } from '@posthorn/testing/go-binary'
import Stripe from 'stripe'
import type { BillingProvider, PlanChoice } from '../billing-provider.ts'
import {
  changeSubscription,
  dropSchedule,
  previewSubscriptionChange,
} from './change-subscription.ts'
import { requireSubscription } from './find-subscription.ts'
import { createStripeBilling } from './stripe-provider.ts'

const STRIPE_MOCK = {
  name: 'stripe-mock',
  version: '0.203.0',
  package: 'github.com/stripe/stripe-mock',
  what: "Stripe's own stand-in for its API",
}
const CUSTOMER = { tenantId: 'tenant-1', customerId: 'cus_1' }

let mock: ChildProcess
let billing: BillingProvider
let stripe: Stripe
let prices: { [Plan in 'starter' | 'growth' | 'scale']: { monthly: string[]; annual?: string[] } }
/** What the mock's only subscription has. */
let present: PlanChoice

beforeAll(async () => {
  const port = await freePort()
  const program = await ensureGoBinary(STRIPE_MOCK)
  mock = spawn(program, ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}/v1`
  const headers = { Authorization: 'Bearer sk_test_1', Connection: 'close' }
  const listed = await eventually(async () => {
    const response = await fetch(`${base}/subscriptions?customer=cus_1`, { headers })
    return (await response.json()) as { data: { items: { data: { price: { id: string } }[] } }[] }
  })
  const price = listed.data[0]?.items.data[0]?.price.id ?? ''
  present = { planId: 'growth', cycle: 'monthly' }
  prices = {
    starter: { monthly: ['price_starter'], annual: ['price_starter_y'] },
    growth: { monthly: [price] },
    scale: { monthly: ['price_scale'] },
  }
  stripe = new Stripe('sk_test_1', { protocol: 'http', host: '127.0.0.1', port })
  billing = createStripeBilling({
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    prices,
    returnUrl: 'https://hooks.example.com/billing',
    apiUrl: `http://127.0.0.1:${port}`,
  })
}, 300_000)

afterAll(async () => {
  const ended = once(mock, 'exit')
  mock.kill()
  await ended
})

test('Stripe knows the calls that read', async () => {
  const sold = await billing.listPrices()
  expect(sold.map(({ planId }) => planId)).toEqual(['starter', 'growth', 'scale'])
  expect(sold[0]).toMatchObject({ monthly: expect.any(Number), currency: expect.any(String) })
  const subscription = await billing.readSubscription('cus_1')
  expect(subscription).toMatchObject({ ...present, id: expect.stringMatching(/^sub_/) })
  expect(subscription?.currentPeriodEnd.getTime()).toBeGreaterThan(0)
  const [invoice] = await billing.listInvoices('cus_1')
  expect(invoice).toMatchObject({
    id: expect.stringMatching(/^in_/),
    amountDue: expect.any(Number),
  })
  expect(await billing.tenantOf('cus_1')).toBeNull()
})

test('Stripe knows the calls that make a customer and lead to its pages', async () => {
  expect(await billing.createCustomer({ tenantId: 'tenant-1', name: 'Acme' })).toMatch(/^cus_/)
  const choice: PlanChoice = { planId: 'scale', cycle: 'monthly' }
  expect(await billing.checkOut(CUSTOMER, choice)).toMatch(/^https:/)
  expect(await billing.openPortal(CUSTOMER)).toMatch(/^https:/)
})

test('Stripe knows the calls that cancel and resume', async () => {
  await billing.cancel(CUSTOMER)
  // The mock's subscription is cancelled, whatever was asked of it.
  await billing.resume(CUSTOMER)
  expect((await billing.readSubscription('cus_1'))?.cancelAtPeriodEnd).toBe(true)
})

test('Stripe knows the calls that preview and change', async () => {
  const found = await requireSubscription(stripe, prices, 'cus_1')
  const running = { ...found, cancelAtPeriodEnd: false, schedule: null }
  const up: PlanChoice = { planId: 'scale', cycle: 'monthly' }
  expect(await previewSubscriptionChange(stripe, prices, running, up)).toMatchObject({
    effective: 'immediately',
    amountDue: expect.any(Number),
    lines: expect.any(Array),
  })
  await changeSubscription(stripe, prices, running, up)
  await changeSubscription(stripe, prices, running, { planId: 'starter', cycle: 'annual' })
  await dropSchedule(stripe, { id: 'sub_sched_1' })
})

test('the mock refuses what Stripe does not know', async () => {
  const unknown = { no_such_parameter: '1' } as Stripe.CustomerCreateParams
  await expect(stripe.customers.create(unknown)).rejects.toThrow(
    'additional properties are not allowed',
  )
})
