/** What Stripe tells of, and how it comes into force. */
import { describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import {
  becomeCustomer,
  deliver,
  hear,
  other,
  planOf,
  portal,
  stripe,
  subscribe,
  subscriptionOf,
  tenant,
  useStripeBilling,
} from './billing.fixture.ts'

useStripeBilling()

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
