/** What is sent to the REST routes: keys and projects that are made up, and requests that are dear to read. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@posthorn/testing/eventually'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'

const AT_ONCE = 300
const KIB = 1024

/** How often Postgres was asked for a key, as its own statistics say some time later. */
async function lookUps(arena: Arena): Promise<number> {
  const { rows } = await arena.pool.query<{ scans: number }>(
    `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 AS scans
     FROM pg_stat_user_tables WHERE relname = 'api_keys'`,
  )
  return rows[0]?.scans ?? 0
}

/** A key that may ask once a second, and in each request a project that nobody has. */
async function madeUpProjects(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const { key } = await tenant.make('api-keys', {
    name: 'slow',
    scopes: ['*'],
    rateLimit: 1,
  })
  return async () => {
    const before = await lookUps(arena)
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        arena.send(`${arena.url}/api/v1/events`, {
          headers: { 'X-API-Key': key, 'X-Project-ID': randomUUID() },
        }),
      ),
    )
    const wrong: string[] = []
    const limited = answers.filter(({ status }) => status === 429).length
    if (limited < AT_ONCE - 10)
      wrong.push(`of requests over the key's limit of 1/s, ${limited} of ${AT_ONCE} were limited`)
    // Sessions hand in their statistics when they have been idle for a second, or at their next statement.
    const until = performance.now() + 1_200
    await eventually(() => performance.now() > until, { everyMs: 100 })
    await tenant.call('GET', 'events', '')
    const asked = (await lookUps(arena)) - before
    // The neighbour's and the tenant's own key are looked up once a second each.
    if (asked > 60) wrong.push(`Postgres was asked for keys ${asked} times`)
    return wrong
  }
}

/** Beside it the neighbour's key has to be looked up anew each second. */
async function unknownKeys(arena: Arena): Promise<Dose> {
  return async () => {
    const until = performance.now() + 2_500
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (performance.now() < until) {
          await arena.send(`${arena.url}/api/v1/events`, {
            headers: { 'X-API-Key': `sk_made_up_${randomUUID()}` },
          })
        }
      }),
    )
    return []
  }
}

async function keyEscalation(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { key } = await tenant.make('api-keys', {
    name: 'bounded',
    scopes: ['*'],
    rateLimit: 5,
    expiresAt,
  })
  const larger: Record<string, unknown>[] = [
    { rateLimit: null, expiresAt },
    { rateLimit: 6, expiresAt },
    { rateLimit: 5, expiresAt: null },
    { rateLimit: 5, expiresAt: new Date(Date.now() + 7_200_000).toISOString() },
    {},
  ]
  return async () => {
    const wrong: string[] = []
    for (const more of larger) {
      const own = { 'X-API-Key': key as string }
      const body = { name: 'larger', scopes: ['*'], ...more }
      const { status } = await tenant.call('POST', 'api-keys', body, own)
      if (status < 300) wrong.push(`a key of 5/s for an hour made one with ${JSON.stringify(more)}`)
      const until = performance.now() + 250
      await eventually(() => performance.now() > until, { everyMs: 50 })
    }
    return wrong
  }
}

/** Two tenants' file sinks with one prefix. */
async function fileSinks(arena: Arena): Promise<Dose> {
  const [one, other] = [await arena.newTenant(), await arena.newTenant()]
  for (const { make } of [one, other]) {
    await make('endpoints', {
      url: 'storage://files',
      eventTypes: ['stored'],
      deliveryMode: 'storage',
      storageConfig: { type: 'file', prefix: 'orders' },
    })
  }
  return async () => {
    const mark = randomUUID()
    await one.event({ eventType: 'stored', payload: { mark, by: 'one' } })
    await other.event({ eventType: 'stored', payload: { mark, by: 'other' } })
    let files: string[] = []
    await eventually(
      async () => {
        files = await filesWith(arena.storageDir, mark)
        if (files.length < 2) throw new Error('not written yet')
      },
      { timeoutMs: 10_000, everyMs: 50 },
    )
    const [first] = new Set(files.map((path) => path.split('/').slice(0, 1).join('/')))
    const places = new Set(files.map((path) => path.split('/')[0]))
    return places.size < 2 ? [`two tenants' files stand in one place: ${first}`] : []
  }
}

async function filesWith(dir: string, mark: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true })
  const found: string[] = []
  for (const path of entries.filter((one) => one.endsWith('.json') && !one.includes('.tmp'))) {
    if ((await readFile(join(dir, path), 'utf8')).includes(mark)) found.push(path)
  }
  return found
}

function members(count: number, of: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => of(n)).join()
}

/** Texts of a body, each as large as its route lets it be. */
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

async function dearBodies(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  return async () => {
    const wrong: string[] = []
    for (const [what, path, text] of BODIES) {
      const { status } = await tenant.call('POST', path, text, {
        'X-Idempotency-Key': randomUUID(),
      })
      if (status >= 500) wrong.push(`${what} was answered ${status}`)
    }
    return wrong
  }
}

/** The largest body that there is. */
async function fullBatch(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const payload = `{"a":[${members(38_000, () => '0')}]}`
  const text = `{"events":[${members(100, (n) => `{"idempotencyKey":"k${n}","destination":"${arena.sinkUrl}/batch","payload":${payload}}`)}]}`
  return async () => {
    const { status } = await tenant.call('POST', 'events/batch', text)
    return status >= 500 ? [`a batch of ${text.length} bytes was answered ${status}`] : []
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

async function dearUrls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const headers = { 'X-API-Key': tenant.apiKey }
  return async () => {
    const wrong: string[] = []
    for (const path of URLS) {
      const { status } = await arena.send(arena.url + path, { headers })
      if (status >= 500) wrong.push(`${path.slice(0, 40)}… was answered ${status}`)
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
      if (status >= 500) wrong.push(`a long ${header} was answered ${status}`)
    }
    return wrong
  }
}

/** As many as there may be and more: all wait, and others are answered. */
async function waitingPolls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const { id } = await tenant.make('endpoints', {
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

/** As many of the largest as one poll may ask for: each dose has an endpoint of its own, for what was fetched is hidden. */
async function largePolls(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const payload = { text: 'é'.repeat(120 * KIB) }
  let doses = 0
  return async () => {
    doses += 1
    const eventType = `polled.${doses}`
    const { id } = await tenant.make('endpoints', {
      url: 'poll://large',
      eventTypes: [eventType],
      deliveryMode: 'poll',
    })
    for (let n = 0; n < 100; n += 1) await tenant.event({ eventType, payload })
    const { status } = await tenant.call('GET', `poll?endpoint_id=${id}&timeout=5&limit=100`, '')
    return status >= 500 ? [`a poll was answered ${status}`] : []
  }
}

export const REQUESTS: readonly Attack[] = [
  attack(
    'keys: made-up projects on a key of 1/s',
    '1,000 look-ups in Postgres at once: the limit came after them',
    madeUpProjects,
  ),
  attack('keys: a flood of unknown ones', 'valid keys were refused with 503', unknownKeys),
  attack('keys: a bounded one makes one without bounds', 'it could', keyEscalation),
  attack('storage: two tenants’ files, one prefix', 'they stood in one place', fileSinks),
  attack('bodies: everything that is dear to read', 'what is not linear in a body', dearBodies),
  attack('bodies: a batch of 8 MiB', 'the largest that there is', fullBatch),
  attack('URLs: everything that is dear to read', 'what is not linear in a head', dearUrls),
  attack(
    'polls: 100 events of 240 KiB in one',
    '24 MiB, with inbound events 100 MiB, put together and written on one turn of the loop',
    largePolls,
  ),
  attack('polls: 500 that wait', 'a share of each tenant’s own', waitingPolls),
]
