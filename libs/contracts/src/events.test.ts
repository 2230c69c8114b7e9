import { describe, expect, test } from '@jest/globals'
import { eventSchemas, RetryBatch } from './events.ts'

const { CreateEvent, CreateBatch, EditEvent } = eventSchemas('Service')
const direct = { destination: 'https://example.com/hook', payload: { a: 1 } }
const typed = { eventType: 'order.paid', payload: {} }

/** The paths of the problems found; none: the body is accepted. */
function problems(
  schema: { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? []
}

describe('CreateEvent', () => {
  test('fills in the defaults', () => {
    expect(CreateEvent.parse(direct)).toEqual({ ...direct, priority: 5, delaySeconds: 0 })
  })

  test.each([
    [1, 1],
    [25, 25],
    [26, 25],
    [1_000_000, 25],
  ])('maxAttempts %d becomes %d', (given, expected) => {
    expect(CreateEvent.parse({ ...direct, maxAttempts: given }).maxAttempts).toBe(expected)
  })

  test.each<[string, object]>([
    ['by type', typed],
    ['an empty payload', { ...direct, payload: {} }],
    ['nested nulls', { ...direct, payload: { a: [null, { b: null }] } }],
    ['priority 1', { ...direct, priority: 1 }],
    ['priority 10', { ...direct, priority: 10 }],
    ['a year of delay', { ...typed, delaySeconds: 31_536_000 }],
    ['every character of a type', { ...typed, eventType: 'aZ09._-/:' }],
    ['a type of 255', { ...typed, eventType: 'x'.repeat(255) }],
    ['headers', { ...direct, headers: { 'X-Custom': 'a\tb c', Authorization: 'Bearer x' } }],
    ['no headers', { ...direct, headers: {} }],
    ['a URL of 2,048', { ...direct, destination: `https://e.com/${'x'.repeat(2_034)}` }],
    ['a URL in Unicode', { ...direct, destination: 'https://exämple.com/ü' }],
  ])('takes %s', (_, body) => {
    expect(problems(CreateEvent, body)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['neither destination nor type', { payload: {} }, 'destination'],
    ['both', { ...direct, ...typed }, 'destination'],
    ['no payload', { eventType: 'a' }, 'payload'],
    ['a payload that is an array', { ...direct, payload: [] }, 'payload'],
    ['a payload that is text', { ...direct, payload: '{}' }, 'payload'],
    ['a payload that is null', { ...direct, payload: null }, 'payload'],
    ['priority 0', { ...direct, priority: 0 }, 'priority'],
    ['priority 11', { ...direct, priority: 11 }, 'priority'],
    ['priority 1.5', { ...direct, priority: 1.5 }, 'priority'],
    ['priority as text', { ...direct, priority: '5' }, 'priority'],
    ['maxAttempts 0', { ...direct, maxAttempts: 0 }, 'maxAttempts'],
    ['maxAttempts 2.5', { ...direct, maxAttempts: 2.5 }, 'maxAttempts'],
    ['a negative delay', { ...direct, delaySeconds: -1 }, 'delaySeconds'],
    ['more than a year', { ...direct, delaySeconds: 31_536_001 }, 'delaySeconds'],
    ['an empty type', { ...typed, eventType: '' }, 'eventType'],
    ['a type of 256', { ...typed, eventType: 'x'.repeat(256) }, 'eventType'],
    ['a type with a star', { ...typed, eventType: 'a.*' }, 'eventType'],
    ['a type that ends its line', { ...typed, eventType: 'a\n' }, 'eventType'],
    ['a type beyond ASCII', { ...typed, eventType: 'ä' }, 'eventType'],
    ['an empty URL', { ...direct, destination: '' }, 'destination'],
    [
      'a URL of 2,049',
      { ...direct, destination: `https://e.com/${'x'.repeat(2_035)}` },
      'destination',
    ],
    ['a URL with a space', { ...direct, destination: 'https://e.com/a b' }, 'destination'],
    ['a URL that ends its line', { ...direct, destination: 'https://e.com/\n' }, 'destination'],
    ['a URL with NUL', { ...direct, destination: 'https://e.com/\0' }, 'destination'],
    [
      'a URL with half a character',
      { ...direct, destination: 'https://e.com/\ud800' },
      'destination',
    ],
    ['a URL that is null', { ...direct, destination: null, eventType: 'a' }, 'destination'],
    ['an unknown field', { ...direct, idempotencyKey: 'k' }, ''],
    ['a list', [direct], ''],
    ['nothing', undefined, ''],
  ])('refuses %s', (_, body, path) => {
    expect(problems(CreateEvent, body)).toContain(path)
  })

  test('names an unknown field', () => {
    const { error } = CreateEvent.safeParse({ ...direct, colour: 1 })
    expect(error?.issues[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['colour'] })
  })
})

describe('headers', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '']))
  test.each<[string, Record<string, string>]>([
    ['50 of them', many(50)],
    ['8 KiB in all', { a: 'x'.repeat(8 * 1024 - 1) }],
    ['every token character', { "!#$%&'*+-.^_`|~09azAZ": 'x' }],
    ['names that only resemble ours', { 'X-Services-Key': '1', 'X-Servic': '1' }],
  ])('takes %s', (_, headers) => {
    expect(problems(CreateEvent, { ...direct, headers })).toEqual([])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['51 of them', many(51), 'headers'],
    ['more than 8 KiB', { a: 'x'.repeat(8 * 1024) }, 'headers'],
    ['an empty name', { '': 'x' }, 'headers.'],
    ['a name with a space', { 'a b': 'x' }, 'headers.a b'],
    ['a name with a colon', { 'a:': 'x' }, 'headers.a:'],
    ['a value with CR LF', { a: 'x\r\nb: y' }, 'headers.a'],
    ['a value with NUL', { a: '\0' }, 'headers.a'],
    ['a value beyond ASCII', { a: 'é' }, 'headers.a'],
    ['a number', { a: 1 }, 'headers.a'],
    ['one name twice', { 'X-A': '1', 'x-a': '2' }, 'headers.x-a'],
    ...[
      'Host',
      'content-length',
      'Connection',
      'Keep-Alive',
      'TE',
      'Trailer',
      'Transfer-Encoding',
      'Upgrade',
      'Proxy-Authorization',
      'X-Service-Anything',
      'x-service-signature',
      'webhook-id',
      'Webhook-Signature',
    ].map((name): [string, Record<string, unknown>, string] => [
      name,
      { [name]: 'x' },
      `headers.${name}`,
    ]),
  ])('refuse %s', (_, headers, path) => {
    expect(problems(CreateEvent, { ...direct, headers })).toContain(path)
  })

  test('of another brand are that brand’s', () => {
    const acme = eventSchemas('Acme').CreateEvent
    expect(problems(acme, { ...direct, headers: { 'X-Service-Id': '1' } })).toEqual([])
    expect(problems(acme, { ...direct, headers: { 'X-ACME-Id': '1' } })).toEqual([
      'headers.X-ACME-Id',
    ])
  })
})

describe('CreateBatch', () => {
  const item = { idempotencyKey: 'k', ...direct }
  const batch = (...events: unknown[]) => ({ events })

  test.each<[string, unknown]>([
    ['an item', batch(item)],
    ['100 items', batch(...Array.from({ length: 100 }, () => item))],
    ['the default priority', batch({ ...item, priority: 5 })],
    [
      'a key of 255 printable characters',
      batch({ ...item, idempotencyKey: ` ~${'x'.repeat(253)}` }),
    ],
  ])('takes %s', (_, body) => {
    expect(problems(CreateBatch, body)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['none', batch(), 'events'],
    ['101 items', batch(...Array.from({ length: 101 }, () => item)), 'events'],
    ['another priority', batch({ ...item, priority: 4 }), 'events.0.priority'],
    ['a delay', batch(item, { ...item, delaySeconds: 0 }), 'events.1'],
    ['an event by type', batch({ idempotencyKey: 'k', ...typed }), 'events.0.destination'],
    ['no key', batch(direct), 'events.0.idempotencyKey'],
    ['an empty key', batch({ ...item, idempotencyKey: '' }), 'events.0.idempotencyKey'],
    [
      'a key of 256',
      batch({ ...item, idempotencyKey: 'x'.repeat(256) }),
      'events.0.idempotencyKey',
    ],
    ['a key with a tab', batch({ ...item, idempotencyKey: 'a\tb' }), 'events.0.idempotencyKey'],
    ['a key beyond ASCII', batch({ ...item, idempotencyKey: 'é' }), 'events.0.idempotencyKey'],
    ['an unknown field', { ...batch(item), dryRun: true }, ''],
  ])('refuses %s', (_, body, path) => {
    expect(problems(CreateBatch, body)).toContain(path)
  })

  test('clamps maxAttempts', () => {
    expect(CreateBatch.parse(batch({ ...item, maxAttempts: 99 })).events[0]?.maxAttempts).toBe(25)
  })
})

describe('EditEvent', () => {
  test('replays only when asked to', () => {
    expect(EditEvent.parse({ payload: { a: 2 } })).toEqual({ payload: { a: 2 }, replay: false })
    expect(EditEvent.parse({ replay: true })).toEqual({ replay: true })
  })

  test.each<[unknown, string]>([
    [{ replay: 'true' }, 'replay'],
    [{ eventType: 'a' }, ''],
    [{ payload: 'x' }, 'payload'],
    [{ destination: 'a b' }, 'destination'],
    [{ headers: { host: 'x' } }, 'headers.host'],
  ])('refuses %j', (body, path) => {
    expect(problems(EditEvent, body)).toContain(path)
  })
})

describe('RetryBatch', () => {
  test.each<unknown[]>([
    [{ eventIds: ['a'] }],
    [{ eventIds: Array.from({ length: 1_000 }, () => 'a') }],
    [{ status: 'dead' }],
    [{ status: 'failed', limit: 1_000 }],
    [{ endpointId: 'e', limit: 1 }],
  ])('takes %j', (body) => {
    expect(problems(RetryBatch, body)).toEqual([])
  })

  test.each<[unknown, string]>([
    [{}, 'eventIds'],
    [{ limit: 5 }, 'eventIds'],
    [{ eventIds: ['a'], status: 'dead' }, 'eventIds'],
    [{ status: 'dead', endpointId: 'e' }, 'eventIds'],
    [{ eventIds: ['a'], limit: 5 }, 'limit'],
    [{ eventIds: [] }, 'eventIds'],
    [{ eventIds: Array.from({ length: 1_001 }, () => 'a') }, 'eventIds'],
    [{ status: 'delivered' }, 'status'],
    [{ status: 'dead', limit: 0 }, 'limit'],
    [{ status: 'dead', limit: 1_001 }, 'limit'],
    [{ status: 'dead', ids: [] }, ''],
  ])('refuses %j', (body, path) => {
    expect(problems(RetryBatch, body)).toContain(path)
  })
})
