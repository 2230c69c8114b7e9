/**
 * Configuration that a tenant saves and that the product then runs: schemas, filters, patterns,
 * paths, scripts, and any number of endpoints.
 */
import type { HttpAnswer, Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import { type SeededRandom, createSeededRandom } from '../seeded-random.ts'
import { isDelivered } from '../is-delivered.ts'

/** Near misses for the patterns below, which look for an `a` that is followed by many of `[ab]`. */
const ALMOST = lettersOf(createSeededRandom(1), 240_000)

/** In random order, because an automaton soon knows a text that repeats itself. */
function lettersOf(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => random.pick(['a', 'b'])).join('')
}

function alternatives(body: string, bytes: number): string {
  const one = `${body}|`
  return one.repeat(Math.max(1, Math.floor(bytes / one.length))) + body
}

/** A refusal is a good answer. What is saved instead is run. */
function isRefused(answer: HttpAnswer): boolean {
  return answer.status >= 400 && answer.status < 500
}

async function schemaDose(arena: Arena, schema: object, text: string): Promise<Dose> {
  const tenant = await arena.newTenant()
  let saved = 0
  return async () => {
    saved += 1
    const name = `typed.${saved}`
    const made = await tenant.call('POST', 'event-types', { name, schema })
    if (isRefused(made)) return []
    if (made.status >= 500) return [`saving the schema was answered ${made.status}`]
    const { status } = await tenant.postEvent({ eventType: name, payload: { text } })
    return status >= 500 ? [`an event under the schema was answered ${status}`] : []
  }
}

/**
 * The endpoints' filters run in fan-out. The dose ends when the tenant's event has been delivered.
 */
async function filterDose(arena: Arena, filter: readonly object[], payload: object): Promise<Dose> {
  const tenant = await arena.newTenant()
  for (let n = 0; n < 10; n += 1) {
    const made = await tenant.call('POST', 'endpoints', {
      url: `${arena.sinkUrl}/filtered-${n}`,
      eventTypes: ['filtered'],
      filter,
    })
    if (isRefused(made)) break
  }
  await tenant.create('endpoints', { url: `${arena.sinkUrl}/all`, eventTypes: ['filtered'] })
  return async () => {
    const sent = await tenant.postEvent({ eventType: 'filtered', payload })
    return await isDelivered(tenant, sent.body?.id)
  }
}

function regexFilter(pattern: string): object[] {
  return [{ field: '$.text', operator: 'regex', value: pattern }]
}

/** The ways in which a schema can be expensive, besides patterns. */
const EXPENSIVE_SCHEMAS: readonly [string, object][] = [
  ['unique items', { properties: { text: {} }, additionalProperties: { uniqueItems: true } }],
  ['one of many', { oneOf: Array.from({ length: 900 }, (_, n) => ({ minProperties: n })) }],
  [
    'references to references',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 24 }, (_, n) => [
          `d${n}`,
          n === 0 ? {} : { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] },
        ]),
      ),
      not: { $ref: '#/$defs/d23' },
    },
  ],
  ['format url', { properties: { text: { format: 'url' } } }],
  ['format email', { properties: { text: { format: 'email' } } }],
  ['format iri', { properties: { text: { format: 'uri-template' } } }],
  ['pattern properties', { patternProperties: { 'a[ab]{200}[cd]': {} } }],
  ['many required', { required: Array.from({ length: 9_000 }, (_, n) => `r${n}`) }],
]

async function expensiveSchemas(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const texts = [`http://${'a'.repeat(2_000)}`, `${'a.'.repeat(1_000)}@`, ALMOST]
  let saved = 0
  return async () => {
    const problems: string[] = []
    for (const [what, schema] of EXPENSIVE_SCHEMAS) {
      saved += 1
      const name = `expensive.${saved}`
      const made = await tenant.call('POST', 'event-types', { name, schema })
      if (made.status >= 500) problems.push(`saving ${what} was answered ${made.status}`)
      if (made.status !== 201) continue
      for (const text of texts) {
        const { status } = await tenant.postEvent({ eventType: name, payload: { text } })
        if (status >= 500) problems.push(`an event under ${what} was answered ${status}`)
      }
    }
    return problems
  }
}

async function manyEndpoints(arena: Arena, count: number): Promise<Dose> {
  const tenant = await arena.newTenant()
  const script = (n: number): string =>
    `/* ${n} ${'x'.repeat(60_000)} */ function transform(event) { return { payload: event.payload } }`
  return async () => {
    const numbers = Array.from({ length: count }, (_, n) => n).values()
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const n of numbers) {
          await tenant.call('POST', 'endpoints', {
            url: `${arena.sinkUrl}/${n}`,
            eventTypes: [`scripted.${n}`],
            transformation: script(n),
          })
        }
      }),
    )
    const { body } = await tenant.postEvent({ eventType: 'scripted.1', payload: {} })
    return await isDelivered(tenant, body?.id)
  }
}

/** The cost is endpoints times patterns, for a type that was not seen before. */
async function expensiveTypes(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const eventTypes = Array.from({ length: 100 }, (_, n) => `${'*a'.repeat(120)}*b${n % 10}`)
  for (let n = 0; n < 60; n += 1)
    await tenant.call('POST', 'endpoints', { url: `${arena.sinkUrl}/${n}`, eventTypes })
  let sent = 0
  return async () => {
    sent += 1
    await tenant.postEvent({ eventType: `${'a'.repeat(240)}.${sent}`, payload: {} })
    return []
  }
}

/** Each endpoint's lane is the hash of the whole payload. */
async function expensiveLanes(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  for (let n = 0; n < 60; n += 1) {
    await tenant.call('POST', 'endpoints', {
      url: `${arena.sinkUrl}/lane-${n}`,
      eventTypes: ['laned'],
      fifo: true,
      fifoPartitionKey: '$',
    })
  }
  return async () => {
    const sent = await tenant.postEvent({ eventType: 'laned', payload: { text: ALMOST } })
    return await isDelivered(tenant, sent.body?.id)
  }
}

/** 20 conditions that each walk over the whole payload and find nothing. */
const WIDE_PATHS = Array.from({ length: 20 }, (_, n) => ({
  field: `$[*][*].x${n}`,
  operator: 'exists',
  value: false,
}))
const WIDE = Object.fromEntries(
  Array.from({ length: 240 }, (_, n) => [n, Array.from({ length: 500 }, () => 0)]),
)

const SCRIPTS = [
  'function transform() { for (;;); }',
  'function transform() { const a = []; for (;;) a.push(new Array(1e6).fill(1)) }',
  'function transform(e) { let o = {}; for (let n = 0; n < 1e5; n += 1) o = { o }; return { payload: o } }',
  'function transform(e) { return { payload: { a: "x".repeat(2 ** 28) } } }',
  'function transform(e) { return { get payload() { for (;;); } } }',
  'function transform(e) { throw { toString() { for (;;); } } }',
  'function transform(e) { return /(a+)+b/.test("a".repeat(40)) ? e : e }',
  'function transform(e) { return { payload: Object.fromEntries(Array.from({ length: 60000 }, (_, n) => [n, 0])) } }',
]

async function hostileScripts(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  return async () => {
    const answers = await Promise.all(
      SCRIPTS.map((transformation) =>
        tenant.call('POST', 'transformations/test', { transformation, event: { payload: {} } }),
      ),
    )
    return answers
      .filter(({ status }) => status >= 500 && status !== 503)
      .map(({ status }) => `a script was answered ${status}`)
  }
}

export const CONFIGURED: readonly Attack[] = [
  attack(
    'schema: an expensive pattern of 350 bytes',
    'one event stopped ingest-api for 20 s',
    (arena) =>
      schemaDose(
        arena,
        { properties: { text: { pattern: alternatives('a[ab]{900}[cd]', 330) } } },
        ALMOST,
      ),
  ),
  attack('schema: 21,000 in allOf', '5 s to compile, 8 MB each, 500 of them kept', (arena) =>
    schemaDose(arena, { allOf: Array.from({ length: 21_000 }, () => ({})) }, 'x'),
  ),
  attack(
    'schema: every expensive keyword',
    'what a budget of steps has to bound',
    expensiveSchemas,
  ),
  attack(
    'filter: ten endpoints with an expensive pattern',
    '/live still for 5 s, another endpoint’s event 31 s late',
    (arena) => filterDose(arena, regexFilter('a[ab]{480}[cd]'), { text: ALMOST.slice(0, 65_000) }),
  ),
  attack(
    'filter: 20 paths over all of a payload',
    'each condition walked over all of it, all on one turn of the loop',
    (arena) => filterDose(arena, WIDE_PATHS, WIDE),
  ),
  attack(
    'event types: 60 endpoints of 100 patterns of 120 stars',
    'endpoints times patterns for each new type',
    expensiveTypes,
  ),
  attack(
    'lanes: 60 endpoints with the whole payload as their lane',
    'it is spelled and hashed for each endpoint, on one turn of the loop',
    expensiveLanes,
  ),
  attack(
    'endpoints: 150 scripts of 60 KB',
    '350 MB for 5,000: loaded by every dispatcher at each change',
    (arena) => manyEndpoints(arena, 150),
    { maxMiB: 240 },
  ),
  attack(
    'endpoints: 1,200 scripts of 60 KB',
    '350 MB for 5,000: loaded by every dispatcher at each change',
    (arena) => manyEndpoints(arena, 1_200),
    { isQuick: false, maxMiB: 100 },
  ),
  attack('scripts: endless, growing or lying', 'the sandbox keeps its threads', hostileScripts),
]
