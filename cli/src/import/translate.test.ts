/** What records of the other services become, and what is refused. */
import { expect, test } from '@jest/globals'
import { convoy } from './convoy.ts'
import {
  describe as describeEndpoint,
  importedKey,
  perSecond,
  previousSecret,
  shownUrl,
  whyNot,
} from './endpoint-parts.ts'
import { translateFilter } from './filters.ts'
import { outpost } from './outpost.ts'
import { checked } from './read-source.ts'
import type { SourceService } from './records.ts'
import { svix } from './svix.ts'

const NOW = Date.parse('2026-01-05T09:00:00Z')
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** As a line of an export. */
function translated(service: SourceService, record: object) {
  const [name = ''] = Object.keys(record)
  const shape = service.shapes[name]
  if (shape === undefined) throw new Error(`there is no record ${name}`)
  return service.translate(checked(shape, record, 'the record'), NOW)
}

test('filters of plain paths become conditions', () => {
  const filter = {
    'order.total': { $gte: 10, $lt: 20 },
    customer: { tier: 'gold', 'first-name': { $startsWith: 'A' } },
    $and: [{ state: { $in: ['a', 'b'] } }, { note: { $exist: false } }],
  }
  expect(translateFilter(filter)).toEqual({
    conditions: [
      { field: '$.order.total', operator: 'gte', value: 10 },
      { field: '$.order.total', operator: 'lt', value: 20 },
      { field: '$.customer.tier', operator: 'eq', value: 'gold' },
      { field: '$.customer.first-name', operator: 'startsWith', value: 'A' },
      { field: '$.state', operator: 'in', value: ['a', 'b'] },
      { field: '$.note', operator: 'exists', value: false },
    ],
  })
  expect(translateFilter({})).toEqual({ conditions: [] })
})

test.each([
  [{ $or: [{ a: 1 }] }, '$or'],
  [{ a: { $neq: 1 } }, '$neq'],
  [{ a: { $nin: [1] } }, '$nin'],
  [{ a: { $regex: 'x' } }, '$regex'],
  [{ a: { $gt: '10' } }, '$gt with a value of another kind'],
  [{ a: [1, 2] }, '$eq with a value of another kind'],
  [{ '$.a.$.b': 1 }, '$.a.$.b'],
  [{ 'a.0.b': 1 }, 'a.0.b'],
  [{ $eq: 1 }, '$eq'],
  [{ a: { constructor: { $toString: 1 } } }, '$toString'],
  [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, at])), 'more than 20'],
])('a filter without an exact counterpart is refused: %j', (filter, told) => {
  expect(translateFilter(filter)).toEqual({ reason: expect.stringContaining(told) })
})

test('the id stands at the end of the description, and is found there again', () => {
  expect(describeEndpoint('svix', 'ep_1', ' Billing ', 'b 1')).toBe('Billing [svix ep_1 uid b%201]')
  expect(importedKey('Billing [svix ep_1 uid b%201]')).toBe('svix ep_1')
  const odd = describeEndpoint('outpost', 'a ] [svix x]', '')
  expect(importedKey(odd)).toBe(`outpost ${encodeURIComponent('a ] [svix x]')}`)
  const long = describeEndpoint('convoy', 'sub_1', `${'x'.repeat(983)}😀😀`)
  expect([long.length <= 1_000, importedKey(long), long.isWellFormed()]).toEqual([
    true,
    'convoy sub_1',
    true,
  ])
  for (const none of [null, 'Billing', '[svix ep_1] Billing', '[other ep_1]'])
    expect(importedKey(none)).toBeUndefined()
})

test('a URL is shown without what may be a credential', () => {
  expect(shownUrl('https://u:p@a.example/x?token=1#y')).toBe('https://a.example/x?…')
  expect(shownUrl('nothing')).toBe('(not a URL)')
})

test('what an endpoint here cannot have is told', () => {
  const good = {
    url: 'https://a.example/',
    eventTypes: ['*'],
    description: '',
    status: 'active' as const,
    signingSecret: SECRET,
  }
  expect(whyNot(good)).toBeNull()
  expect(whyNot({ ...good, url: 'ftp://a.example' })).toContain('not http')
  expect(whyNot({ ...good, url: 'https://u:p@a.example' })).toContain('a user')
  expect(whyNot({ ...good, url: `https://a.example/${'x'.repeat(2_048)}` })).toContain('2048')
  expect(whyNot({ ...good, eventTypes: [] })).toContain('no event type')
  expect(whyNot({ ...good, eventTypes: Array(101).fill('a') })).toContain('more than 100')
  expect(whyNot({ ...good, eventTypes: ['a b'] })).toContain('"a b"')
  expect(whyNot({ ...good, signingSecret: 'short' })).toContain('5 characters')
  const { signingSecret: _, ...without } = good
  expect(whyNot(without)).toContain('no signing secret')
})

test('a former secret is kept for as long as it is valid', () => {
  const until = new Date(NOW + 90_000).toISOString()
  expect(previousSecret(SECRET, until, NOW)).toEqual({ secret: SECRET, graceMinutes: 2 })
  expect(previousSecret(SECRET, new Date(NOW).toISOString(), NOW)).toBeNull()
  expect(previousSecret(SECRET, undefined, NOW)).toBeNull()
  expect(previousSecret('short', until, NOW)).toBeNull()
  expect(previousSecret(SECRET, new Date(NOW + 1e10).toISOString(), NOW)?.graceMinutes).toBe(43_200)
  expect([perSecond(300, 60), perSecond(1, 60), perSecond(0, 1), perSecond(null, 1)]).toEqual([
    5, 1, 0, 0,
  ])
})

const SVIX_ENDPOINT = { id: 'ep_1', url: 'https://a.example/' }
const PLAIN = { headers: { headers: {}, sensitive: [] }, transformation: null }

test('Svix: a secret without its prefix gets it; a transformation is not imported', () => {
  const application = { id: 'app_1', uid: 'acme', name: 'Acme' }
  const bare = { endpoint: SVIX_ENDPOINT, secret: { key: SECRET.slice(6) }, ...PLAIN }
  const transformation = { enabled: true, code: 'function handler(webhook) { return webhook }' }
  const scripted = { ...bare, transformation }
  const idle = { ...bare, transformation: { enabled: false, code: transformation.code } }
  const batch = translated(svix, { application, endpoints: [bare, scripted, idle] })
  expect(batch.account?.externalIds).toEqual(['acme', 'app_1'])
  expect(batch.endpoints.map(({ fields }) => fields.signingSecret)).toEqual([SECRET, SECRET])
  expect(batch.endpoints[0]?.fields.eventTypes).toEqual(['*'])
  expect(batch.skipped).toEqual([
    expect.objectContaining({ reason: expect.stringContaining('transformation') }),
  ])
})

test('event types that there cannot be are skipped', () => {
  const archived = { eventType: { name: 'a', archived: true } }
  expect(translated(svix, archived).skipped[0]?.reason).toBe('it is archived')
  const reserved = translated(outpost, { topics: ['service.up', 'a b', 'fine'] })
  expect(reserved.eventTypes).toEqual([{ name: 'fine' }])
  expect(reserved.skipped.map(({ key }) => key)).toEqual(['service.up', 'a b'])
})

test('Convoy: filters that differ by event type, or look at headers, are refused', () => {
  const endpoint = { uid: 'end_1', url: 'https://a.example/', secrets: [{ value: SECRET }] }
  const subscription = (types: string[], filter: object = {}) => ({
    uid: 'sub_1',
    type: 'api',
    endpoint_metadata: { uid: 'end_1' },
    filter_config: { event_types: types, filter },
  })
  const reasons = (one: object, filters: object[]) => {
    const subscriptions = [{ subscription: one, filters }]
    return translated(convoy, { endpoint, subscriptions }).skipped.map((it) => it.reason)
  }
  const of = (event_type: string, body: object) => ({ event_type, body })
  expect(reasons(subscription(['a', 'b']), [of('a', { x: 1 }), of('b', { x: 1 })])).toEqual([])
  for (const filters of [[of('a', { x: 1 }), of('b', { x: 2 })], [of('a', { x: 1 })]])
    expect(reasons(subscription(['a', 'b']), filters)[0]).toContain('different filters')
  expect(reasons(subscription(['a'], { headers: { h: 1 } }), [])[0]).toContain('headers')
  expect(reasons({ ...subscription(['a']), type: 'cli' }, [])).toEqual(['it is of type cli'])
})

test('Convoy: the secret without an end is the one, and one that ends is the former', () => {
  const expiresAt = new Date(NOW + 60_000).toISOString()
  const secrets = [
    { value: 'the-former-secret', expires_at: expiresAt },
    { value: 'an-older-secret-yet', expires_at: '2025-01-01T00:00:00Z' },
    { value: 'the-secret-of-now', expires_at: null },
  ]
  const endpoint = { uid: 'end_1', url: 'https://a.example/', secrets, status: 'inactive' }
  const subscription = { uid: 'sub_1', type: 'api', filter_config: { event_types: ['a'] } }
  const record = { endpoint, subscriptions: [{ subscription, filters: [] }] }
  const batch = translated(convoy, record)
  expect(batch.account).toBeNull()
  expect(batch.endpoints[0]).toMatchObject({
    fields: { signingSecret: 'the-secret-of-now', status: 'paused' },
    previous: { secret: 'the-former-secret', graceMinutes: 1 },
  })
})

test('Outpost: of what is no webhook nothing but its type is read', () => {
  const queue = { id: 'des_1', type: 'aws_sqs', credentials: { secret: 'x' } }
  const record = { tenant: { id: 't' }, destinations: [queue] }
  const shape = outpost.shapes['tenant']
  if (shape === undefined) throw new Error('there is no such record')
  expect(checked(shape, record, 'it')).toMatchObject({
    destinations: [{ id: 'des_1', type: 'aws_sqs' }],
  })
  expect(JSON.stringify(checked(shape, record, 'it'))).not.toContain('credentials')
  const broken = { tenant: { id: 't' }, destinations: [{ id: 'd', type: 'webhook', topics: '*' }] }
  expect(() => checked(shape, broken, 'it')).toThrow('destinations[0].config: ')
  const webhook = {
    ...queue,
    type: 'webhook',
    topics: '*',
    credentials: { secret: SECRET },
    config: { url: 'https://a.example/', custom_headers: '[1]' },
  }
  const odd = (fields: object) =>
    translated(outpost, {
      tenant: { id: 't' },
      destinations: [{ ...webhook, ...fields }],
    }).skipped[0]?.reason
  expect(odd({})).toContain('custom_headers')
  expect(odd({ config: { url: 'https://a.example/' }, filter: { topic: 'x' } })).toContain('topic')
})
