/** The routes of billing, without a provider and with Stripe. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { PLAN_NAMES } from '@posthorn/domain/plans'
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

const WRITES: readonly Write[] = [
  { method: 'POST', path: '/billing/checkout', body: { planId: 'growth' } },
  { method: 'POST', path: '/billing/preview-update', body: { planId: 'growth', cycle: 'annual' } },
  { method: 'POST', path: '/billing/update', body: { planId: 'growth' } },
  { method: 'POST', path: '/billing/cancel' },
  { method: 'POST', path: '/billing/resume' },
  { method: 'DELETE', path: '/billing/scheduled-change' },
  { method: 'POST', path: '/billing/portal' },
]

describe('without a provider', () => {
  let portal: TestPortal
  let tenant: Tenant
  beforeAll(async () => {
    portal = await startTestPortal(await createTestDatabase())
    tenant = await portal.addTenant()
  })
  afterAll(async () => await portal.close())

  test('there are plans, no subscription and no invoices', async () => {
    const { status, body } = await tenant.call('GET', '/billing/overview')
    expect(status).toBe(200)
    expect(body).toMatchObject({ plan: 'self_hosted', subscription: null, invoices: [] })
    expect(body.plans.map(({ id }: { id: string }) => id)).toEqual(PLAN_NAMES)
    expect(body.plans[2]).toEqual({
      id: 'growth',
      name: 'Growth',
      monthly: null,
      annual: null,
      currency: null,
      limits: {
        eventsPerMonth: 5_000_000,
        requestsPerSecond: 1_000,
        endpoints: 500,
        endpointRatePerSec: 1_000,
        retentionDays: { events: 90, attempts: 30, auditLogs: 365, authAudit: 365 },
      },
      features: {
        transformations: true,
        inbound: true,
        alerting: true,
        sub_accounts: true,
        sso: true,
        saml: false,
        scim: false,
        gdpr: false,
      },
    })
    const { plans, subscription, invoices } = body
    expect((await tenant.call('GET', '/billing/plans')).body).toEqual({ plans })
    expect((await tenant.call('GET', '/billing/subscription')).body).toEqual({ subscription })
    expect((await tenant.call('GET', '/billing/invoices')).body).toEqual({ invoices })
  })

  test.each(WRITES)('$method $path is refused', async ({ method, path, body }) => {
    expect(await tenant.call(method, path, body)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE' },
    })
  })

  test('nothing that comes to the webhook is genuine', async () => {
    const answer = await tenant.call('POST', '/billing/stripe/webhook', '{}', {
      'Stripe-Signature': 't=1,v1=00',
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('a plan or cycle that does not exist is refused', async () => {
    for (const body of [{}, { planId: 'gold' }, { planId: 'growth', cycle: 'weekly' }])
      expect((await tenant.call('POST', '/billing/checkout', body)).status).toBe(400)
  })
})

describe('with Stripe', () => {
  let stripe: StripeDouble
  let portal: TestPortal
  let tenant: Tenant
  let other: Tenant

  beforeAll(async () => {
    stripe = await startStripeDouble()
    const billing = createStripeBilling({
      secretKey: 'sk_test_1',
      webhookSecret: stripe.webhookSecret,
      prices: STRIPE_PRICES,
      returnUrl: 'https://hooks.example.com/billing',
      apiBase: stripe.apiBase,
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

  /** The customer that a checkout makes. */
  async function becomeCustomer(): Promise<string> {
    const { status } = await tenant.call('POST', '/billing/checkout', { planId: 'growth' })
    expect(status).toBe(200)
    const made = [...stripe.customers.values()].find(
      ({ metadata }) => metadata.tenant_id === tenant.tenantId,
    )
    return made.id
  }

  async function deliver(body: string, signature = stripe.sign(body)) {
    return await tenant.call('POST', '/billing/stripe/webhook', body, {
      'X-API-Key': '',
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': signature,
    })
  }

  async function hear(object: object, type?: string): Promise<void> {
    expect(await deliver(stripe.event(object, type))).toMatchObject({
      status: 200,
      body: { received: true },
    })
  }

  /** A subscription that somebody paid for. */
  async function subscribe(price = 'price_growth_m') {
    const subscription = stripe.addSubscription(await becomeCustomer(), price)
    await hear(subscription, 'customer.subscription.created')
    stripe.calls.length = 0
    return subscription
  }

  async function subscriptionOf(who: Tenant) {
    return (await who.call('GET', '/billing/subscription')).body.subscription
  }

  async function planOf(who: Tenant): Promise<string> {
    return (await who.call('GET', '/billing/overview')).body.plan
  }

  const called = (path: string) => stripe.calls.filter((call) => call.path === path)

  test('a checkout leads to a page of Stripe, for one customer a workspace', async () => {
    const [one, two] = await Promise.all([
      tenant.call('POST', '/billing/checkout', { planId: 'growth', cycle: 'annual' }),
      tenant.call('POST', '/billing/checkout', { planId: 'growth', cycle: 'annual' }),
    ])
    expect(one.body.url).toMatch(/^https:\/\/stripe\.example\/checkout/)
    const [first, second] = called('/v1/checkout/sessions')
    expect(first?.fields).toMatchObject({
      mode: 'subscription',
      client_reference_id: tenant.tenantId,
      line_items: { 0: { price: 'price_growth_y', quantity: '1' } },
      subscription_data: { metadata: { tenant_id: tenant.tenantId } },
      success_url: 'https://hooks.example.com/billing?checkout=success',
    })
    expect(second?.fields.customer).toBe(first?.fields.customer)
    expect(two.status).toBe(200)
    expect(await subscriptionOf(tenant)).toBeNull()
  })

  test('a plan that is not sold is refused', async () => {
    for (const body of [{ planId: 'free' }, { planId: 'scale', cycle: 'annual' }])
      expect(await tenant.call('POST', '/billing/checkout', body)).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST' },
      })
  })

  test('the plans have their prices, and the invoices are Stripe’s', async () => {
    await subscribe()
    const { body } = await tenant.call('GET', '/billing/overview')
    const prices = body.plans.map(({ id, monthly, annual, currency }: Record<string, unknown>) => [
      id,
      monthly,
      annual,
      currency,
    ])
    expect(prices).toEqual([
      ['free', null, null, null],
      ['starter', 2_900, 29_000, 'usd'],
      ['growth', 9_900, 99_000, 'usd'],
      ['scale', 49_900, null, 'usd'],
    ])
    expect(body.invoices).toEqual([
      {
        id: 'in_1',
        number: 'A-1',
        amountDue: 9_900,
        amountPaid: 9_900,
        currency: 'usd',
        status: 'paid',
        createdAt: '2026-11-01T00:00:00.000Z',
        hostedUrl: 'https://stripe.example/in_1',
        pdfUrl: 'https://stripe.example/in_1.pdf',
      },
    ])
    expect((await other.call('GET', '/billing/invoices')).body).toEqual({ invoices: [] })
  })

  test.each(WRITES.slice(1, 6))(
    '$method $path without a subscription is refused',
    async ({ method, path, body }) => {
      expect(await tenant.call(method, path, body)).toMatchObject({
        status: 409,
        body: { code: 'INVALID_STATE' },
      })
      await becomeCustomer()
      expect((await tenant.call(method, path, body)).status).toBe(409)
    },
  )

  describe('an event', () => {
    test('that is unsigned, tampered with, stale or of another secret is refused', async () => {
      const body = stripe.event({ customer: await becomeCustomer() })
      stripe.calls.length = 0
      const refused = [
        await deliver(body, ''),
        await deliver(body, 'nonsense'),
        await deliver(body.replace('evt', 'evx'), stripe.sign(body)),
        await deliver(body, stripe.sign(body, 400)),
        await deliver(body, stripe.sign(body, 0, 'whsec_other')),
        await deliver('', stripe.sign('')),
      ]
      for (const { status, body: answer } of refused)
        expect([status, answer.code]).toEqual([400, 'BAD_REQUEST'])
      expect(stripe.calls).toEqual([])
    })

    test('puts a plan in force on the next requests, and announces it', async () => {
      await subscribe()
      expect(await subscriptionOf(tenant)).toEqual({
        planId: 'growth',
        cycle: 'monthly',
        status: 'active',
        currentPeriodStart: '2026-11-01T00:00:00.000Z',
        currentPeriodEnd: '2026-12-01T00:00:00.000Z',
        cancelAtPeriodEnd: false,
        scheduledChange: null,
      })
      expect(portal.changes).toContainEqual({ v: 1, tenantId: tenant.tenantId, what: 'plan' })
      expect(await planOf(tenant)).toBe('growth')
      expect(await planOf(other)).toBe('self_hosted')
    })

    test('that comes again does nothing', async () => {
      const subscription = await subscribe()
      const body = stripe.event(subscription)
      await deliver(body)
      const version = await portal.configVersion(tenant.tenantId)
      stripe.calls.length = 0
      expect((await deliver(body)).status).toBe(200)
      expect(stripe.calls).toEqual([])
      expect(await portal.configVersion(tenant.tenantId)).toBe(version)
    })

    test('that comes late says nothing that is over', async () => {
      const subscription = await subscribe()
      const before = structuredClone(subscription)
      subscription.status = 'canceled'
      await hear(subscription, 'customer.subscription.deleted')
      await hear(before, 'customer.subscription.updated')
      expect(await subscriptionOf(tenant)).toMatchObject({ status: 'canceled' })
      expect(await planOf(tenant)).toBe('self_hosted')
    })

    test('about an old subscription does not end the new one', async () => {
      const old = await subscribe('price_starter_m')
      stripe.addSubscription(old.customer, 'price_scale_m')
      old.status = 'canceled'
      await hear(old, 'customer.subscription.deleted')
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'scale', status: 'active' })
    })

    test('whose reading began earlier writes nothing over a later one', async () => {
      const subscription = await subscribe('price_starter_m')
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      let reads = 0
      stripe.beforeAnswer = async ({ path }) => {
        if (path === '/v1/subscriptions' && ++reads === 1) await promise
      }
      const slow = deliver(stripe.event(subscription))
      await eventually(() => reads === 1)
      subscription.items.data[0].price = { id: 'price_scale_m' }
      await hear(subscription)
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'scale' })
      letGo()
      expect((await slow).status).toBe(200)
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'scale' })
    })

    test('is not done while Stripe can not be asked, and is when it comes again', async () => {
      const subscription = await subscribe('price_starter_m')
      subscription.items.data[0].price = { id: 'price_growth_old' }
      const body = stripe.event(subscription)
      stripe.refuse = { status: 500, error: { type: 'api_error', message: 'down' } }
      expect(await deliver(body)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'starter' })
      stripe.refuse = null
      expect((await deliver(body)).status).toBe(200)
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'growth' })
    })

    test('about a customer that is nobody’s here is passed over', async () => {
      for (const customer of ['cus_unknown', null]) await hear({ customer })
      stripe.customers.set('cus_foreign', { id: 'cus_foreign', metadata: { tenant_id: 'shop-7' } })
      await hear({ customer: 'cus_foreign' })
      const { rows } = await portal.pool.query(
        "SELECT 1 FROM subscriptions WHERE customer_id IN ('cus_unknown', 'cus_foreign')",
      )
      expect(rows).toEqual([])
    })

    test('finds the workspace of a customer whose row was never written', async () => {
      stripe.customers.set('cus_lost', {
        id: 'cus_lost',
        metadata: { tenant_id: tenant.tenantId },
      })
      await hear(stripe.addSubscription('cus_lost', 'price_starter_y'))
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'starter', cycle: 'annual' })
    })
  })

  describe('a change of plan', () => {
    test('up goes at once, with proration, and is in force when it is answered', async () => {
      const subscription = await subscribe()
      const change = { planId: 'scale', cycle: 'monthly' }
      const preview = await tenant.call('POST', '/billing/preview-update', change)
      expect(preview.body).toMatchObject({
        ...change,
        effective: 'immediately',
        amountDue: 3_500,
        currency: 'usd',
        recurringAmount: 49_900,
        lines: [
          { description: 'Unused time', amount: -6_400, proration: true },
          { description: 'Remaining time', amount: 9_900, proration: true },
        ],
      })
      expect(stripe.calls.some(({ path }) => path === `/v1/subscriptions/${subscription.id}`)).toBe(
        false,
      )
      const { status, body } = await tenant.call('POST', '/billing/update', change)
      expect(status).toBe(200)
      expect(body.subscription).toMatchObject({ planId: 'scale', scheduledChange: null })
      expect(called(`/v1/subscriptions/${subscription.id}`)[0]?.fields).toEqual({
        items: { 0: { id: subscription.items.data[0].id, price: 'price_scale_m', quantity: '1' } },
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      })
      expect(await planOf(tenant)).toBe('scale')
    })

    test('down waits for the end of the period, and can be removed', async () => {
      await subscribe()
      const change = { planId: 'starter', cycle: 'annual' }
      const preview = await tenant.call('POST', '/billing/preview-update', change)
      const effectiveAt = '2026-12-01T00:00:00.000Z'
      expect(preview.body).toEqual({
        ...change,
        effective: 'period_end',
        effectiveAt,
        amountDue: 0,
        currency: 'usd',
        recurringAmount: 29_000,
        lines: [],
      })
      const changed = await tenant.call('POST', '/billing/update', change)
      expect(changed.body.subscription).toMatchObject({
        planId: 'growth',
        scheduledChange: { ...change, effectiveAt },
      })
      const again = { planId: 'starter', cycle: 'monthly' }
      const second = await tenant.call('POST', '/billing/update', again)
      expect(second.body.subscription.scheduledChange).toEqual({ ...again, effectiveAt })

      const dropped = await tenant.call('DELETE', '/billing/scheduled-change')
      expect(dropped.status).toBe(204)
      const { subscription } = (await tenant.call('GET', '/billing/subscription')).body
      expect(subscription).toMatchObject({ planId: 'growth', scheduledChange: null })
      expect((await tenant.call('DELETE', '/billing/scheduled-change')).status).toBe(409)
    })

    test('up removes one down that was waiting', async () => {
      await subscribe()
      await tenant.call('POST', '/billing/update', { planId: 'starter' })
      const { body } = await tenant.call('POST', '/billing/update', {
        planId: 'growth',
        cycle: 'annual',
      })
      expect(body.subscription).toMatchObject({
        planId: 'growth',
        cycle: 'annual',
        scheduledChange: null,
      })
    })

    test('to what there is, or while it is cancelled, is refused', async () => {
      await subscribe()
      expect((await tenant.call('POST', '/billing/update', { planId: 'growth' })).status).toBe(409)
      await tenant.call('POST', '/billing/cancel')
      expect((await tenant.call('POST', '/billing/update', { planId: 'scale' })).status).toBe(409)
    })

    test('whose payment fails changes nothing', async () => {
      const subscription = await subscribe()
      stripe.beforeAnswer = async ({ path }) => {
        if (path === '/v1/subscriptions')
          stripe.refuse = { status: 402, error: { type: 'card_error', message: 'declined' } }
      }
      expect(await tenant.call('POST', '/billing/update', { planId: 'scale' })).toMatchObject({
        status: 409,
        body: { code: 'INVALID_STATE', error: expect.stringContaining('declined') },
      })
      expect(subscription.items.data[0].price.id).toBe('price_growth_m')
      expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'growth' })
    })

    test('by a checkout is confirmed on Stripe’s page, without a second subscription', async () => {
      const subscription = await subscribe()
      const { body } = await tenant.call('POST', '/billing/checkout', { planId: 'scale' })
      expect(body.url).toMatch(/^https:\/\/stripe\.example\/billing_portal/)
      expect(called('/v1/checkout/sessions')).toEqual([])
      expect(called('/v1/billing_portal/sessions')[0]?.fields.flow_data).toMatchObject({
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscription.id,
          items: { 0: { price: 'price_scale_m' } },
        },
      })
    })
  })

  test('a cancellation removes a scheduled change, holds until the end, and can be taken back', async () => {
    await subscribe()
    await tenant.call('POST', '/billing/update', { planId: 'starter' })
    const cancelled = await tenant.call('POST', '/billing/cancel')
    expect(cancelled.body.subscription).toMatchObject({
      planId: 'growth',
      status: 'active',
      cancelAtPeriodEnd: true,
      scheduledChange: null,
    })
    expect(await planOf(tenant)).toBe('growth')
    const resumed = await tenant.call('POST', '/billing/resume')
    expect(resumed.body.subscription).toMatchObject({ cancelAtPeriodEnd: false })
    expect((await tenant.call('POST', '/billing/resume')).status).toBe(409)
  })

  test('the portal is the customer’s own', async () => {
    const customer = await becomeCustomer()
    const { body } = await tenant.call('POST', '/billing/portal')
    expect(body.url).toMatch(/^https:\/\/stripe\.example\/billing_portal/)
    expect(called('/v1/billing_portal/sessions')[0]?.fields).toEqual({
      customer,
      return_url: 'https://hooks.example.com/billing',
    })
  })

  test('while Stripe is not there the subscription can still be read', async () => {
    await subscribe()
    stripe.refuse = { status: 500, error: { type: 'api_error', message: 'down' } }
    expect(await subscriptionOf(tenant)).toMatchObject({ planId: 'growth' })
    expect(await tenant.call('GET', '/billing/invoices')).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    })
  })
})
