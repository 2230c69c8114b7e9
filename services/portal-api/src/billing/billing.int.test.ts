/** The routes of billing with Stripe: checkouts, prices, changes of plan and cancellation. */
import { describe, expect, test } from '@jest/globals'
import {
  becomeCustomer,
  called,
  other,
  planOf,
  stripe,
  subscribe,
  subscriptionOf,
  tenant,
  useStripeBilling,
  WRITES,
} from './billing.fixture.ts'

useStripeBilling()

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
