/**
 * A Stripe for tests: an HTTP server with as much of Stripe's behaviour as ours depends on. It
 * records each call, keeps customers, subscriptions and schedules, and can refuse or hold back what
 * comes next. That real Stripe takes these calls is shown by stripe-mock (`npm run peers`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

/** What a form or an answer holds; tests look at it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = any

export interface StripeCall {
  method: string
  path: string
  fields: Fields
}

export interface StripeDouble {
  apiUrl: string
  webhookSecret: string
  calls: StripeCall[]
  customers: Map<string, Fields>
  subscriptions: Map<string, Fields>
  schedules: Map<string, Fields>
  /** Answers the next calls with this instead. */
  refuse: { status: number; error: { type: string; message: string } } | null
  /** Called with each request once its answer is made, before it is sent. */
  beforeAnswer: (call: StripeCall) => Promise<void>
  /** The address of a page of Stripe's that somebody is led to. */
  pageUrl: (session: { id: string; kind: string; fields: Fields }) => string
  addSubscription(customer: string, price: string, more?: Fields): Fields
  /** An event as Stripe sends it. @param ageSeconds of its signature */
  event(object: Fields, type?: string, id?: string): string
  sign(body: string, ageSeconds?: number, secret?: string): string
  close(): Promise<void>
}

const PRICES: Readonly<Record<string, number>> = {
  price_starter_m: 2_900,
  price_starter_y: 29_000,
  price_growth_m: 9_900,
  price_growth_y: 99_000,
  price_scale_m: 49_900,
}
export const STRIPE_PRICES = {
  starter: { monthly: ['price_starter_m'], annual: ['price_starter_y'] },
  growth: { monthly: ['price_growth_m', 'price_growth_old'], annual: ['price_growth_y'] },
  scale: { monthly: ['price_scale_m'] },
}
const PERIOD_START = 1_793_491_200
const PERIOD_END = 1_796_083_200
const WEBHOOK_SECRET = 'whsec_test'

export async function startStripeDouble(): Promise<StripeDouble> {
  let count = 0
  const idempotent = new Map<string, Fields>()
  const { webhooks } = new Stripe('sk_test_double')
  const newId = (prefix: string): string => `${prefix}_${++count}`

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', 'http://stripe')
    const form =
      request.method === 'GET'
        ? url.searchParams
        : new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
    const call = { method: request.method ?? '', path: url.pathname, fields: nested(form) }
    const key = request.headers['idempotency-key'] as string | undefined
    const refused = double.refuse
    const body = refused === null ? (idempotent.get(key ?? '') ?? handle(call)) : refused
    if (key !== undefined && refused === null) idempotent.set(key, body)
    const text = JSON.stringify(body)
    double.calls.push(call)
    await double.beforeAnswer(call)
    const status = refused?.status ?? (body.error === undefined ? 200 : 404)
    response
      .writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
      .end(text)
  }

  function handle({ method, path, fields }: StripeCall): Fields {
    const [resource = '', id = '', action = ''] = path.replace('/v1/', '').split('/')
    const route = `${method} ${resource}${id === '' ? '' : '/:id'}${action === '' ? '' : `/${action}`}`
    const missing = {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: path },
    }
    switch (route) {
      case 'POST customers': {
        const customer = { id: newId('cus'), object: 'customer', ...fields }
        double.customers.set(customer.id, customer)
        return customer
      }
      case 'GET customers/:id':
        return double.customers.get(id) ?? missing
      case 'GET prices/:id':
        return { id, object: 'price', unit_amount: PRICES[id], currency: 'usd' }
      case 'GET subscriptions': {
        const all = [...double.subscriptions.values()]
        const data = all.filter(({ customer }) => customer === fields.customer).map(withSchedule)
        return { object: 'list', data, has_more: false }
      }
      case 'POST subscriptions/:id':
        return updateSubscription(double.subscriptions.get(id), fields)
      case 'POST subscription_schedules':
        return addSchedule(fields.from_subscription)
      case 'POST subscription_schedules/:id':
        return updateSchedule(double.schedules.get(id), fields)
      case 'POST subscription_schedules/:id/release':
        return releaseSchedule(double.schedules.get(id))
      case 'GET invoices':
        return {
          object: 'list',
          data: fields.customer === undefined ? [] : [INVOICE],
          has_more: false,
        }
      case 'POST invoices/:id': // create_preview
        return PREVIEW
      case 'POST checkout/:id':
      case 'POST billing_portal/:id':
        return openSession(resource, fields)
      default:
        return missing
    }
  }

  function openSession(kind: string, fields: Fields): Fields {
    const session = { id: newId('ses'), kind, fields }
    return { id: session.id, url: double.pageUrl(session) }
  }

  function withSchedule(subscription: Fields): Fields {
    return { ...subscription, schedule: double.schedules.get(subscription.schedule) ?? null }
  }

  function updateSubscription(subscription: Fields, fields: Fields): Fields {
    const [change] = Object.values<Fields>(fields.items ?? {})
    if (change !== undefined) subscription.items.data[0].price = priceOf(change.price)
    if (fields.cancel_at_period_end !== undefined) {
      // As Stripe does.
      if (subscription.schedule !== null) throw new Error('it is managed by a schedule')
      subscription.cancel_at_period_end = fields.cancel_at_period_end === 'true'
    }
    return subscription
  }

  function addSchedule(subscriptionId: string): Fields {
    const subscription = double.subscriptions.get(subscriptionId)
    if (subscription.schedule !== null) throw new Error('it has a schedule already')
    const item = subscription.items.data[0]
    const phase = { start_date: item.current_period_start, end_date: item.current_period_end }
    const schedule = {
      id: newId('sub_sched'),
      object: 'subscription_schedule',
      status: 'active',
      subscription: subscriptionId,
      current_phase: phase,
      phases: [{ ...phase, items: [{ price: item.price.id }] }],
    }
    double.schedules.set(schedule.id, schedule)
    subscription.schedule = schedule.id
    return schedule
  }

  function updateSchedule(schedule: Fields, fields: Fields): Fields {
    let end = 0
    schedule.phases = Object.values<Fields>(fields.phases).map((phase) => {
      const start = Number(phase.start_date ?? end)
      end = Number(phase.end_date ?? start + 2_592_000)
      return { start_date: start, end_date: end, items: Object.values(phase.items) }
    })
    return schedule
  }

  function releaseSchedule(schedule: Fields): Fields {
    schedule.status = 'released'
    double.subscriptions.get(schedule.subscription).schedule = null
    return schedule
  }

  const double: StripeDouble = {
    apiUrl: `http://127.0.0.1:${port}`,
    webhookSecret: WEBHOOK_SECRET,
    calls: [],
    customers: new Map(),
    subscriptions: new Map(),
    schedules: new Map(),
    refuse: null,
    beforeAnswer: async () => {},
    pageUrl: ({ kind }) => `https://stripe.example/${kind}/${count}`,
    addSubscription(customer, price, more = {}) {
      const period = { current_period_start: PERIOD_START, current_period_end: PERIOD_END }
      const subscription = {
        id: newId('sub'),
        object: 'subscription',
        customer,
        status: 'active',
        created: PERIOD_START + count,
        cancel_at_period_end: false,
        schedule: null,
        items: { data: [{ id: newId('si'), price: priceOf(price), ...period }] },
        ...more,
      }
      double.subscriptions.set(subscription.id, subscription)
      return subscription
    },
    event: (object, type = 'customer.subscription.updated', id = newId('evt')) =>
      JSON.stringify({ id, object: 'event', type, data: { object } }),
    sign: (payload, ageSeconds = 0, secret = WEBHOOK_SECRET) =>
      webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

function priceOf(id: string): Fields {
  return { id, recurring: { interval: id.endsWith('_y') ? 'year' : 'month' } }
}

const INVOICE = {
  id: 'in_1',
  number: 'A-1',
  amount_due: 9_900,
  amount_paid: 9_900,
  currency: 'usd',
  status: 'paid',
  created: PERIOD_START,
  hosted_invoice_url: 'https://stripe.example/in_1',
  invoice_pdf: 'https://stripe.example/in_1.pdf',
}

const PREVIEW = {
  id: 'upcoming_in_1',
  created: PERIOD_START,
  amount_due: 3_500,
  currency: 'usd',
  lines: {
    data: [
      {
        description: 'Unused time',
        amount: -6_400,
        period: { start: PERIOD_START, end: PERIOD_END },
        parent: { subscription_item_details: { proration: true } },
      },
      {
        description: 'Remaining time',
        amount: 9_900,
        period: { start: PERIOD_START, end: PERIOD_END },
        parent: { subscription_item_details: { proration: true } },
      },
    ],
  },
}

/** `a[b][0]=c` as `{a: {b: {0: 'c'}}}`. */
function nested(form: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const [name, value] of form) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() as string
    let place = fields
    for (const part of path) place = place[part] ??= {}
    place[last] = value
  }
  return fields
}
