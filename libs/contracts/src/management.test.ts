/**
 * What the management routes accept: endpoints, event types, keys, projects, and the queries of
 * lists.
 */
import { describe, expect, test } from '@jest/globals'
import { CreateApiKey } from './api-keys.ts'
import { DeliveryListQuery } from './deliveries.ts'
import { ENDPOINT_DEFAULTS, endpointSchemas, RotateSecret } from './endpoints.ts'
import { CreateEventType, UpdateEventType } from './event-types.ts'
import { EventListQuery } from './events.ts'
import { PageQuery } from './fields.ts'
import { CreateProject, UpdateProject } from './projects.ts'

interface Schema {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } }
}

function problems(schema: Schema, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? []
}

const { CreateEndpoint, PatchEndpoint, EndpointConfig } = endpointSchemas('Service')
const endpoint = { url: 'https://example.com/hook', eventTypes: ['*'] }

describe('CreateEndpoint', () => {
  test('needs a URL and event types; the rest has defaults that are a whole configuration', () => {
    expect(problems(CreateEndpoint, endpoint)).toEqual([])
    expect(EndpointConfig.parse({ ...ENDPOINT_DEFAULTS, ...endpoint })).toMatchObject({
      maxRetries: 5,
      retryBackoffMs: 1_000,
      retryBackoffMax: 86_400_000,
      retryBackoffMult: 2,
      timeoutMs: 30_000,
    })
  })

  test.each<[string, object]>([
    ['patterns', { eventTypes: ['a.*', '*.b', 'service.*'] }],
    [
      'null for none',
      { description: null, customHeaders: null, allowedCidrs: null, signingSecret: null },
    ],
    ['one spelling', { allowedCidrs: ['10.0.0.0/8'], blockedCidrs: [] }],
    ['the other', { allowedCIDRs: ['10.0.0.0/8'], blockedCIDRs: ['::1/128'] }],
    ['one of each', { allowedCidrs: [], blockedCIDRs: [] }],
    [
      'the least',
      {
        maxRetries: 1,
        retryBackoffMs: 100,
        retryBackoffMax: 100,
        retryBackoffMult: 1,
        timeoutMs: 100,
      },
    ],
    [
      'the most',
      {
        maxRetries: 25,
        retryBackoffMs: 86_400_000,
        retryBackoffMax: 604_800_000,
        retryBackoffMult: 10,
        timeoutMs: 60_000,
      },
    ],
    ['a client certificate', { mtlsCert: 'pem', mtlsKey: 'pem' }],
    ['none', { mtlsCert: null, mtlsKey: null }],
    ['a secret of 16', { signingSecret: 'x'.repeat(16) }],
    ['a secret of 256', { signingSecret: '!'.repeat(256) }],
    ['a secret with spaces', { signingSecret: 'with spaces, 16 of them' }],
    ['a secret in any script', { signingSecret: '秘密の鍵é\u{1f511}'.repeat(3) }],
    ['a secret of 256 pairs', { signingSecret: '\u{1f511}'.repeat(256) }],
    ['a script of 64 KiB', { transformation: 'é'.repeat(32 * 1024) }],
  ])('takes %s', (_, more) => {
    expect(problems(CreateEndpoint, { ...endpoint, ...more })).toEqual([])
    expect(problems(PatchEndpoint, more)).toEqual([])
  })

  test.each<[object, string]>([
    [{ url: 'a b' }, 'url'],
    [{ eventTypes: [] }, 'eventTypes'],
    [{ eventTypes: ['a b'] }, 'eventTypes.0'],
    [{ eventTypes: 'a' }, 'eventTypes'],
    [{ eventTypes: Array.from({ length: 101 }, () => '*') }, 'eventTypes'],
    [{ maxRetries: 0 }, 'maxRetries'],
    [{ maxRetries: 26 }, 'maxRetries'],
    [{ retryBackoffMs: 99 }, 'retryBackoffMs'],
    [{ retryBackoffMs: 86_400_001 }, 'retryBackoffMs'],
    [{ retryBackoffMax: 604_800_001 }, 'retryBackoffMax'],
    [{ retryBackoffMult: 0.9 }, 'retryBackoffMult'],
    [{ retryBackoffMult: 10.1 }, 'retryBackoffMult'],
    [{ timeoutMs: 99 }, 'timeoutMs'],
    [{ timeoutMs: 60_001 }, 'timeoutMs'],
    [{ customHeaders: { 'X-Service-Id': 'x' } }, 'customHeaders.X-Service-Id'],
    [{ allowedCidrs: [], allowedCIDRs: [] }, 'allowedCIDRs'],
    [{ blockedCidrs: null, blockedCIDRs: null }, 'blockedCIDRs'],
    [{ allowedCidrs: Array.from({ length: 101 }, () => '::1/128') }, 'allowedCidrs'],
    [{ signingSecret: 'x'.repeat(15) }, 'signingSecret'],
    [{ signingSecret: 'x'.repeat(257) }, 'signingSecret'],
    [{ signingSecret: '\u{1f511}'.repeat(15) }, 'signingSecret'],
    [{ signingSecret: '\u{1f511}'.repeat(257) }, 'signingSecret'],
    [{ transformation: `${'é'.repeat(32 * 1024)}x` }, 'transformation'],
    [{ description: 1 }, 'description'],
    [{ mtlsCert: 'pem' }, 'mtlsKey'],
    [{ mtlsKey: 'pem' }, 'mtlsCert'],
    [{ mtlsCert: null }, 'mtlsKey'],
    [{ mtlsCert: null, mtlsKey: 'pem' }, 'mtlsCert'],
    [{ mtlsCert: 'x'.repeat(32_769), mtlsKey: 'pem' }, 'mtlsCert'],
    [{ colour: 'red' }, ''],
  ])('refuses %j, created or changed', (more, path) => {
    expect(problems(CreateEndpoint, { ...endpoint, ...more })).toContain(path)
    expect(problems(PatchEndpoint, more)).toContain(path)
  })

  test.each(['url', 'eventTypes'])('refuses none of %s', (name) => {
    expect(problems(CreateEndpoint, { ...endpoint, [name]: undefined })).toEqual([name])
  })
})

test('a new endpoint may be paused; a change of the status has routes of its own', () => {
  expect(problems(CreateEndpoint, { ...endpoint, status: 'paused' })).toEqual([])
  expect(problems(PatchEndpoint, { status: 'paused' })).toEqual([''])
})

test('a change may be empty, and changes nothing that it does not name', () => {
  expect(PatchEndpoint.parse({})).toEqual({})
  expect(UpdateEventType.parse({})).toEqual({})
  expect(UpdateProject.parse({})).toEqual({})
})

test.each<[unknown, string[]]>([
  [{}, []],
  [{ newSecret: 'x'.repeat(16), gracePeriodMinutes: 0 }, []],
  [{ gracePeriodMinutes: 43_200 }, []],
  [{ gracePeriodMinutes: 43_201 }, ['gracePeriodMinutes']],
  [{ gracePeriodMinutes: -1 }, ['gracePeriodMinutes']],
  [{ newSecret: 'short' }, ['newSecret']],
  [{ secret: 'x' }, ['']],
])('rotating a secret: %j', (body, expected) => {
  expect(problems(RotateSecret, body)).toEqual(expected)
})

test('a rotation’s grace is an hour unless it says so', () => {
  expect(RotateSecret.parse({})).toEqual({ gracePeriodMinutes: 60 })
})

test.each<[unknown, string[]]>([
  [{ name: 'order.paid' }, []],
  [{ name: 'a', description: null, schema: null, schemaVersion: null }, []],
  [{ name: 'a', schema: { type: 'object' }, schemaVersion: '2' }, []],
  [{}, ['name']],
  [{ name: 'a b' }, ['name']],
  [{ name: 'a*' }, ['name']],
  [{ name: 'a', schema: [] }, ['schema']],
  [{ name: 'a', schema: true }, ['schema']],
  [{ name: 'a', schemaVersion: 2 }, ['schemaVersion']],
  [{ name: 'a', id: 'x' }, ['']],
])('an event type: %j', (body, expected) => {
  expect(problems(CreateEventType, body)).toEqual(expected)
})

test.each<[unknown, string[]]>([
  [{ name: 'k', scopes: ['*'] }, []],
  [
    {
      name: 'k',
      scopes: ['events:read', 'team:write'],
      rateLimit: 100_000,
      expiresAt: '2030-01-01T00:00:00Z',
    },
    [],
  ],
  [{ name: 'k', scopes: ['*'], rateLimit: null, expiresAt: null }, []],
  [{ name: 'k', scopes: ['*'], expiresAt: '2030-01-01T02:00:00+02:00' }, []],
  [{ name: 'k', scopes: [] }, ['scopes']],
  [{ name: 'k', scopes: ['events:delete'] }, ['scopes.0']],
  [{ name: '', scopes: ['*'] }, ['name']],
  [{ name: 'k', scopes: ['*'], rateLimit: 0 }, ['rateLimit']],
  [{ name: 'k', scopes: ['*'], expiresAt: '2030-01-01' }, ['expiresAt']],
  [{ name: 'k', scopes: ['*'], expiresAt: 1_900_000_000 }, ['expiresAt']],
  [{ name: 'k', scopes: ['*'], key: 'x' }, ['']],
])('an API key: %j', (body, expected) => {
  expect(problems(CreateApiKey, body)).toEqual(expected)
})

test.each<[unknown, string[]]>([
  [{ name: 'Staging', environment: 'staging' }, []],
  [{ name: 'x'.repeat(100) }, []],
  [{ name: 'x'.repeat(101) }, ['name']],
  [{ name: 'a', environment: 'test' }, ['environment']],
  [{ name: 'a', isDefault: true }, ['']],
])('a project: %j', (body, expected) => {
  expect(problems(CreateProject, body)).toEqual(expected)
})

test('a project is of production unless it says so', () => {
  expect(CreateProject.parse({ name: 'a' })).toEqual({ name: 'a', environment: 'production' })
})

describe('queries', () => {
  test('have defaults', () => {
    expect(PageQuery.parse({})).toEqual({ limit: 20 })
    expect(DeliveryListQuery.parse({})).toEqual({ limit: 50, offset: 0 })
  })

  test.each<[string, Schema, unknown, string[]]>([
    ['page', PageQuery, { limit: '1', cursor: 'x' }, []],
    ['page', PageQuery, { limit: '100' }, []],
    ['page', PageQuery, { limit: '0' }, ['limit']],
    ['page', PageQuery, { limit: '101' }, ['limit']],
    ['page', PageQuery, { limit: '1.5' }, ['limit']],
    ['page', PageQuery, { limit: '' }, ['limit']],
    ['page', PageQuery, { limit: ['1', '2'] }, ['limit']],
    ['page', PageQuery, { limit: '1e1' }, ['limit']],
    ['page', PageQuery, { limit: '9'.repeat(30) }, ['limit']],
    ['events', EventListQuery, { status: 'dead' }, []],
    ['events', EventListQuery, { status: 'waiting' }, ['status']],
    [
      'deliveries',
      DeliveryListQuery,
      { range: '7d', outcome: 'timeout', limit: '200', offset: '10000' },
      [],
    ],
    [
      'deliveries',
      DeliveryListQuery,
      { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00.5+01:00' },
      [],
    ],
    ['deliveries', DeliveryListQuery, { range: '2d' }, ['range']],
    ['deliveries', DeliveryListQuery, { limit: '201' }, ['limit']],
    ['deliveries', DeliveryListQuery, { offset: '10001' }, ['offset']],
    ['deliveries', DeliveryListQuery, { offset: '-1' }, ['offset']],
    ['deliveries', DeliveryListQuery, { outcome: 'ok' }, ['outcome']],
    ['deliveries', DeliveryListQuery, { start: 'yesterday' }, ['start']],
  ])('%s: %j', (_, schema, query, expected) => {
    expect(problems(schema, query)).toEqual(expected)
  })

  test('numbers come out as numbers', () => {
    expect(DeliveryListQuery.parse({ limit: '7', offset: '14' })).toMatchObject({
      limit: 7,
      offset: 14,
    })
  })
})
