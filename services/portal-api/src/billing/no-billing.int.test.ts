/** The routes of billing, without a provider. */
import { expect, test } from '@jest/globals'
import { PLAN_NAMES } from '@posthorn/domain/plans'
import { tenant, usePortal } from '../portal.fixture.ts'
import { WRITES } from './billing.fixture.ts'

usePortal('for-all-tests')

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
