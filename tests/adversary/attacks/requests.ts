/**
 * Requests to REST routes that are expensive to read or to answer, each as large as its route
 * allows.
 */
import { randomUUID } from 'node:crypto'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'

const KIB = 1024

function members(count: number, of: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => of(n)).join()
}

/** Bodies, each as large as its route allows. */
const BODIES: readonly [string, string, string][] = [
  ['unknown fields', 'events', `{"payload":{},${members(20_000, (n) => `"f${n}":0`)}}`],
  [
    'many members',
    'events',
    `{"eventType":"a","payload":{${members(22_000, (n) => `"f${n}":0`)}}}`,
  ],
  [
    'many headers',
    'events',
    `{"eventType":"a","payload":{},"headers":{${members(15_000, (n) => `"h-${n}":"v"`)}}}`,
  ],
  [
    'bad headers',
    'events',
    `{"eventType":"a","payload":{},"headers":{${members(15_000, (n) => `"h ${n}":"\\u0000"`)}}}`,
  ],
  ['a long key', 'events', `{"eventType":"a","payload":{"${'k'.repeat(240 * KIB)}":1}}`],
  ['long numbers', 'events', `{"eventType":"a","payload":{"n":${'9'.repeat(240 * KIB)}}}`],
  ['an exponent', 'events', `{"eventType":"a","payload":{"n":1e${'9'.repeat(200 * KIB)}}}`],
  ['200 levels', 'events', `{"eventType":"a","payload":${'{"a":'.repeat(190)}1${'}'.repeat(190)}}`],
  [
    '5,000 levels',
    'events',
    `{"eventType":"a","payload":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  ],
  [
    'arrays in arrays',
    'events',
    `{"eventType":"a","payload":{"a":${'[],'.repeat(0)}[${members(80_000, () => '[]')}]}}`,
  ],
  ['half surrogates', 'events', `{"eventType":"${'\\ud800'.repeat(30_000)}","payload":{}}`],
  [
    'bad text everywhere',
    'endpoints',
    `{"url":"http://x","eventTypes":[${members(10_000, () => '"\\ud800"')}]}`,
  ],
  ['many types', 'endpoints', `{"url":"http://x","eventTypes":[${members(30_000, () => '"a"')}]}`],
  ['a long URL', 'events', `{"destination":"http://${'a.'.repeat(1_000)}","payload":{}}`],
  ['a URL of one word', 'events', `{"destination":"http://${'xn--'.repeat(500)}","payload":{}}`],
  ['scopes', 'api-keys', `{"name":"a","scopes":[${members(10_000, () => '"*"')}]}`],
  [
    'certificates',
    'endpoints',
    `{"url":"http://x","eventTypes":["a"],"mtlsCert":"${'-----BEGIN CERTIFICATE-----'.repeat(1_200)}","mtlsKey":"x"}`,
  ],
  [
    'lists in filters',
    'endpoints',
    `{"url":"http://x","eventTypes":["a"],"filter":[${members(5_000, () => '{"field":"$.a","operator":"in","value":[1]}')}]}`,
  ],
  [
    'patterns in filters',
    'endpoints',
    `{"url":"http://x","eventTypes":["a"],"filter":[${members(20, () => '{"field":"$.a","operator":"regex","value":"((a{100}){100}){100}"}')}]}`,
  ],
  [
    'paths in filters',
    'endpoints',
    `{"url":"http://x","eventTypes":["a"],"filter":[${members(20, () => `{"field":"$${' '.repeat(490)}x","operator":"exists","value":true}`)}]}`,
  ],
  [
    'a deep schema',
    'event-types',
    `{"name":"a","schema":${'{"not":'.repeat(180)}{}${'}'.repeat(180)}}`,
  ],
  [
    'a schema of patterns',
    'event-types',
    `{"name":"a","schema":{"patternProperties":{${members(900, (n) => `"(x${n}|[ab]{900})":{}`)}}}}`,
  ],
  [
    'a schema of references',
    'event-types',
    `{"name":"a","schema":{"allOf":[${members(3_000, () => '{"$ref":"#"}')}]}}`,
  ],
  [
    'a schema of enums',
    'event-types',
    `{"name":"a","schema":{"enum":[${members(9_000, (n) => String(n))}]}}`,
  ],
]

async function expensiveBodies(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  return async () => {
    const problems: string[] = []
    for (const [what, path, text] of BODIES) {
      const { status } = await tenant.call('POST', path, text, {
        'X-Idempotency-Key': randomUUID(),
      })
      if (status >= 500) problems.push(`${what} was answered ${status}`)
    }
    return problems
  }
}

/** The largest body that any route accepts. */
async function fullBatch(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const payload = `{"a":[${members(38_000, () => '0')}]}`
  const text = `{"events":[${members(100, (n) => `{"idempotencyKey":"k${n}","destination":"${arena.sinkUrl}/batch","payload":${payload}}`)}]}`
  return async () => {
    const { status } = await tenant.call('POST', 'events/batch', text)
    return status >= 500 ? [`a batch of ${text.length} bytes was answered ${status}`] : []
  }
}

/** Lists and records with as many entries as fit in a body, where a handful is allowed. */
async function longLists(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const headers = members(2_500, (n) => `"h-${n}":"v"`)
  const config = members(50_000, (n) => `"key-${n}":"v"`)
  const conditions = members(340_000, () => '{}')
  const bodies = [
    ['events/batch', `{"events":[${members(100, () => `{"payload":{},"headers":{${headers}}}`)}]}`],
    ['inbound-endpoints', `{"name":"a","source":"generic","sourceConfig":{${config}}}`],
    ['endpoints', `{"url":"http://x","eventTypes":["a"],"filter":[${conditions}]}`],
  ] as const
  return async () => {
    const problems: string[] = []
    for (const [path, text] of bodies) {
      const { status } = await tenant.call('POST', path, text)
      if (status !== 400) problems.push(`${path} with a long list was answered ${status}`)
    }
    return problems
  }
}

/** One string, as a value and as a name, that is all escapes, as large as a batch may be. */
async function escapes(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const bytes = 8 * KIB * KIB - 64
  const strings = ['\\n', '\\u4141', '\\ud83d', '\\"', '\\\\'].map((unit) =>
    unit.repeat(bytes / unit.length),
  )
  return async () => {
    const problems: string[] = []
    for (const inner of strings) {
      for (const text of [`{"events":["${inner}"]}`, `{"${inner}":[]}`]) {
        const { status } = await tenant.call('POST', 'events/batch', text)
        if (status !== 400) problems.push(`${inner.slice(0, 6)}… was answered ${status}`)
      }
    }
    return problems
  }
}

const TYPES = 100

/** A page of event types, each with a schema of almost 64 KiB. */
async function largeSchemas(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const note = (n: number): string => `"n${n}":{"description":"${'é'.repeat(20)}"}`
  const schema = `{"properties":{${members(950, note)}}}`
  for (let n = 0; n < TYPES; n += 1)
    await tenant.call('POST', 'event-types', `{"name":"large.${n}","schema":${schema}}`)
  return async () => {
    const { status, text } = await tenant.call('GET', `event-types?limit=${TYPES}`, '')
    const isWhole = status === 200 && text.length > TYPES * schema.length
    return isWhole ? [] : [`the page was answered ${status} with ${text.length} characters`]
  }
}

const URLS: readonly string[] = [
  `/api/v1/events?${'a=1&'.repeat(3_500)}`,
  `/api/v1/events?cursor=${'A'.repeat(14_000)}`,
  `/api/v1/events?limit=${'9'.repeat(14_000)}`,
  `/api/v1/events/${'%25'.repeat(4_500)}`,
  `/api/v1/${'../'.repeat(4_500)}`,
  `/${'/'.repeat(14_000)}`,
  `/api/v1/events/${'a/'.repeat(7_000)}`,
  `/inbound/${'%'.repeat(14_000)}`,
  `/inbound/${'A'.repeat(14_000)}?${'&'.repeat(1_000)}`,
]

async function expensiveUrls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const headers = { 'X-API-Key': tenant.apiKey }
  return async () => {
    const problems: string[] = []
    for (const path of URLS) {
      const { status } = await arena.send(arena.url + path, { headers })
      if (status >= 500) problems.push(`${path.slice(0, 40)}… was answered ${status}`)
    }
    for (const header of [
      'Accept',
      'Content-Type',
      'X-Idempotency-Key',
      'X-Request-Id',
      'Cookie',
    ]) {
      const own = { ...headers, [header]: 'a,;= '.repeat(2_800) }
      const { status } = await arena.send(`${arena.url}/api/v1/events`, { headers: own })
      if (status >= 500) problems.push(`a long ${header} was answered ${status}`)
    }
    return problems
  }
}

/** More polls than may wait at once: all wait, and others are answered. */
async function waitingPolls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const { id } = await tenant.create('endpoints', {
    url: 'poll://many',
    eventTypes: ['polled'],
    deliveryMode: 'poll',
  })
  return async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => tenant.call('GET', `poll?endpoint_id=${id}&timeout=2`, '')),
    )
    return answers
      .filter(({ status }) => status >= 500)
      .map(({ status }) => `a poll was answered ${status}`)
      .slice(0, 1)
  }
}

/**
 * As many of the largest payloads as one poll may ask for. Each dose has an endpoint of its own,
 * because what was fetched is hidden.
 */
async function largePolls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const payload = { text: 'é'.repeat(120 * KIB) }
  let doses = 0
  return async () => {
    doses += 1
    const eventType = `polled.${doses}`
    const { id } = await tenant.create('endpoints', {
      url: 'poll://large',
      eventTypes: [eventType],
      deliveryMode: 'poll',
    })
    for (let n = 0; n < 100; n += 1) await tenant.postEvent({ eventType, payload })
    const { status } = await tenant.call('GET', `poll?endpoint_id=${id}&timeout=5&limit=100`, '')
    return status >= 500 ? [`a poll was answered ${status}`] : []
  }
}

export const REQUESTS: readonly Attack[] = [
  attack(
    'bodies: everything that is expensive to read',
    'what is not linear in a body',
    expensiveBodies,
  ),
  attack(
    'bodies: a batch of 8 MiB',
    'it was read through three times, 0.3 s in one piece, and all of it was built',
    fullBatch,
  ),
  attack(
    'bodies: lists and records of as many entries as fit',
    'each entry was checked before they were counted: 250,000 headers took 0.4 s in one piece',
    longLists,
  ),
  attack('bodies: 8 MiB of escapes in one string', 'it was parsed in one piece, 50 ms', escapes),
  attack(
    'answers: 100 event types with large schemas',
    '6 MB were parsed and serialised in one piece, 60 ms',
    largeSchemas,
  ),
  attack(
    'URLs: everything that is expensive to read',
    'what is not linear in a head',
    expensiveUrls,
  ),
  attack(
    'polls: 100 events of 240 KiB in one',
    '24 MiB, with inbound events 100 MiB, put together and written on one turn of the loop',
    largePolls,
  ),
  attack('polls: 500 that wait', 'each tenant has a share of its own', waitingPolls),
]
