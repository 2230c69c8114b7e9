/**
 * The parts of the APIs of Svix, Convoy and Outpost that an import reads, in the shapes that their
 * published OpenAPI documents and their sources have. The values are made up.
 */
import { type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testing/receiver'

export interface VendorApi {
  url: string
  /** The paths that were asked for, without their queries. */
  asked: string[]
  /** What is answered instead of what is recorded; undefined: as it is recorded. */
  intercept(
    answer: ((path: string, query: URLSearchParams) => ReceiverAnswer | undefined) | null,
  ): void
  close(): Promise<void>
}

/** @param find what is there; undefined: 404 */
async function startVendor(
  token: string,
  find: (path: string, query: URLSearchParams) => unknown,
): Promise<VendorApi> {
  const receiver: Receiver = await startReceiver()
  const asked: string[] = []
  let other: Parameters<VendorApi['intercept']>[0] = null
  receiver.answer(({ path: target, headers }) => {
    const { pathname, searchParams } = new URL(target, receiver.url)
    asked.push(pathname)
    const instead = other?.(pathname, searchParams)
    if (instead !== undefined) return instead
    if (headers.authorization !== `Bearer ${token}` || headers['x-api-key'] !== undefined)
      return { status: 401, body: '{"code":"authentication_failed","detail":"no"}' }
    const found = find(pathname, searchParams)
    if (found === undefined) return { status: 404, body: '{"detail":"Entity not found"}' }
    return json(found)
  })
  return {
    url: receiver.url,
    asked,
    intercept(answer) {
      other = answer
    },
    close: async () => await receiver.close(),
  }
}

export function json(body: unknown): ReceiverAnswer {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

const AT = '2026-01-05T09:00:00Z'
const STAMPS = { createdAt: AT, updatedAt: AT }

/** Pages of one item each, so that every list has several. */
function svixPage(items: readonly { id?: string; name?: string }[], query: URLSearchParams) {
  const ids = items.map(({ id, name }) => id ?? name ?? '')
  const at = query.has('iterator') ? ids.indexOf(query.get('iterator') ?? '') + 1 : 0
  const data = items.slice(at, at + 1)
  const iterator = ids[at] ?? null
  return { data, iterator, prevIterator: null, done: at + 1 >= items.length }
}

export const SVIX_TOKEN = 'testsk_recorded.eu'
export const SVIX_SECRETS = {
  billing: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  audit: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
}

export async function startSvix(deliverTo: string): Promise<VendorApi> {
  const endpoint = (id: string, fields: object) => ({
    id,
    uid: null,
    url: deliverTo,
    description: '',
    disabled: false,
    metadata: {},
    ...STAMPS,
    ...fields,
  })
  const apps = [
    { id: 'app_1', uid: 'acme', name: 'Acme Inc.', metadata: { plan: 'pro' }, ...STAMPS },
    { id: 'app_2', uid: null, name: 'Bolt', metadata: {}, throttleRate: 50, ...STAMPS },
  ]
  const endpoints: Record<string, object[]> = {
    app_1: [
      endpoint('ep_billing', {
        uid: 'billing',
        url: `${deliverTo}/billing?token=a-token-of-the-url`,
        description: 'Billing',
        eventTypes: ['invoice.paid'],
        throttleRate: 20,
      }),
      endpoint('ep_channels', { channels: ['project_1'] }),
    ],
    app_2: [
      // As servers before 1.50 spell it.
      endpoint('ep_audit', { url: `${deliverTo}/audit`, disabled: true, filterTypes: ['a.b'] }),
      endpoint('ep_guarded', { url: `${deliverTo}/guarded`, metadata: { team: 'x' } }),
      endpoint('ep_asymmetric', {}),
    ],
  }
  const secrets: Record<string, string> = {
    ep_billing: SVIX_SECRETS.billing,
    ep_asymmetric: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  }
  const types = [
    {
      name: 'invoice.paid',
      description: 'An invoice was paid',
      archived: false,
      deprecated: false,
      schemas: {
        '9': { type: 'object' },
        '10': { type: 'object', required: ['invoiceId'] },
      },
      ...STAMPS,
    },
    { name: 'a.b', description: '', archived: false, deprecated: false, schemas: null, ...STAMPS },
  ]
  return await startVendor(SVIX_TOKEN, (path, query) => {
    if (path === '/api/v1/event-type') return svixPage(types, query)
    if (path === '/api/v1/app') return svixPage(apps, query)
    const [, app = '', id, part] =
      /^\/api\/v1\/app\/(\w+)\/endpoint(?:\/(\w+)\/(\w+))?$/.exec(path) ?? []
    if (id === undefined) return endpoints[app] && svixPage(endpoints[app], query)
    if (part === 'secret') return { key: secrets[id] ?? SVIX_SECRETS.audit }
    if (part !== 'headers') return undefined
    if (id === 'ep_guarded') return { headers: { 'X-Team': 'x' }, sensitive: ['Authorization'] }
    const isBilling = id === 'ep_billing'
    return { headers: isBilling ? { 'X-Key': 'a-key-of-a-header' } : {}, sensitive: [] }
  })
}

export const CONVOY_TOKEN = 'CO.recorded.token'
export const CONVOY_SECRETS = { orders: '8IX9njirDG', all: 'JkXvGvRcAcOSdzNbUeqWJTwfw' }

export async function startConvoy(deliverTo: string): Promise<VendorApi> {
  const stamps = { created_at: AT, updated_at: AT }
  const endpoint = (uid: string, fields: object) => ({
    uid,
    project_id: 'project_1',
    url: deliverTo,
    name: uid,
    description: '',
    advanced_signatures: true,
    status: 'active',
    http_timeout: 10,
    rate_limit: 0,
    rate_limit_duration: 0,
    content_type: 'application/json',
    authentication: null,
    ...stamps,
    ...fields,
  })
  const secret = (value: string) => ({ uid: 'sec_1', value, ...stamps })
  const endpoints = [
    endpoint('end_all', {
      owner_id: 'owner-7',
      url: `${deliverTo}/all`,
      secrets: [secret(CONVOY_SECRETS.all)],
      rate_limit: 300,
      rate_limit_duration: 60,
      authentication: {
        type: 'api_key',
        api_key: { header_name: 'X-Api-Key', header_value: 'a-key-of-a-header' },
      },
    }),
    endpoint('end_short', { secrets: [secret(CONVOY_SECRETS.orders)] }),
    endpoint('end_idle', { secrets: [secret(CONVOY_SECRETS.all)] }),
    endpoint('end_basic', {
      url: `${deliverTo}/basic`,
      secrets: [secret(CONVOY_SECRETS.all)],
      authentication: { type: 'basic_auth', basic_auth: { username: 'u', password: '[REDACTED]' } },
    }),
  ]
  const subscription = (uid: string, endpointId: string, fields: object = {}) => ({
    uid,
    name: uid,
    type: 'api',
    project_id: 'project_1',
    function: null,
    endpoint_metadata: { uid: endpointId },
    source_metadata: null,
    filter_config: { event_types: ['*'], filter: { headers: {}, body: {} } },
    ...stamps,
    ...fields,
  })
  const subscriptions = [
    subscription('sub_large', 'end_all', {
      filter_config: {
        event_types: ['order.paid'],
        filter: { headers: {}, body: { 'total.amount': { $gte: 100 } } },
      },
    }),
    subscription('sub_script', 'end_all', { function: 'function transform(p) { return p }' }),
    subscription('sub_short', 'end_short'),
    subscription('sub_basic', 'end_basic'),
  ]
  const page = (items: readonly { uid: string }[], query: URLSearchParams) => {
    const cursor = query.get('next_page_cursor')
    const at = cursor === null ? 0 : items.findIndex(({ uid }) => uid === cursor)
    const next = items[at + 1]
    const pagination = {
      per_page: 1,
      has_next_page: next !== undefined,
      has_prev_page: at > 0,
      prev_page_cursor: '',
      next_page_cursor: next?.uid ?? '',
    }
    return { status: true, message: 'ok', data: { content: items.slice(at, at + 1), pagination } }
  }
  const base = '/api/v1/projects/project_1'
  return await startVendor(CONVOY_TOKEN, (path, query) => {
    if (path === `${base}/endpoints`) return page(endpoints, query)
    if (path === `${base}/subscriptions`) {
      const endpointId = query.get('endpointId')
      const own = subscriptions.filter((one) => one.endpoint_metadata.uid === endpointId)
      return page(own, query)
    }
    if (path.endsWith('/sub_large/filters')) {
      const body = { 'total.amount': { $gte: 100 } }
      const filter = { uid: 'fil_1', event_type: 'order.paid', headers: {}, body }
      return { status: true, message: 'ok', data: [filter] }
    }
    if (path !== `${base}/event-types`) return undefined
    const type = { uid: 'typ_1', description: '', category: '', deprecated_at: null }
    const data = [
      { ...type, name: '*', json_schema: null },
      { ...type, name: 'order.paid', json_schema: { type: 'object' } },
    ]
    return { status: true, message: 'ok', data }
  })
}

export const OUTPOST_TOKEN = 'recorded-admin-key'
export const OUTPOST_SECRETS = {
  now: 'whsec_bm93IGl0IGlzIHRoaXMgc2VjcmV0LCAzMiBieXRlcyE=',
  before: 'whsec_YmVmb3JlIGl0IHdhcyB0aGlzIG9uZSwgMzIgYnl0ZXM=',
}

export async function startOutpost(deliverTo: string): Promise<VendorApi> {
  const stamps = { created_at: AT, updated_at: AT, disabled_at: null }
  const tenants = [
    { id: 'tenant one', destinations_count: 3, topics: ['*'], metadata: { name: 'One' } },
    { id: 'tenant_2', destinations_count: 0, topics: [], metadata: null },
  ].map((tenant) => ({ ...tenant, created_at: AT, updated_at: AT }))
  const destinations = [
    {
      id: 'des_hook',
      type: 'webhook',
      topics: ['user.*'],
      filter: { data: { user: { tier: 'premium' } } },
      config: { url: `${deliverTo}/hook`, custom_headers: '{"x-key":"a-key-of-a-header"}' },
      credentials: {
        secret: OUTPOST_SECRETS.now,
        previous_secret: OUTPOST_SECRETS.before,
        previous_secret_invalid_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
      metadata: null,
      ...stamps,
    },
    {
      id: 'des_queue',
      type: 'aws_sqs',
      topics: '*',
      config: { queue_url: 'https://sqs.example.com/queue' },
      credentials: { key: 'a-key-of-a-queue', secret: 'a-secret-of-a-queue' },
      ...stamps,
    },
    {
      id: 'des_not',
      type: 'webhook',
      topics: '*',
      filter: { data: { user: { $not: { tier: 'free' } } } },
      config: { url: `${deliverTo}/not` },
      credentials: { secret: OUTPOST_SECRETS.now },
      ...stamps,
    },
  ]
  return await startVendor(OUTPOST_TOKEN, (path, query) => {
    if (path === '/api/v1/topics') return ['user.created', 'user.deleted']
    if (path === '/api/v1/tenants') {
      const at = query.get('next') === 'Mg==' ? 1 : 0
      const next = at === 0 ? 'Mg==' : null
      const pagination = { order_by: 'created_at', dir: 'asc', limit: 1, next, prev: null }
      return { models: tenants.slice(at, at + 1), pagination, count: 2 }
    }
    if (path === '/api/v1/tenants/tenant%20one/destinations') return destinations
    return path === '/api/v1/tenants/tenant_2/destinations' ? [] : undefined
  })
}
