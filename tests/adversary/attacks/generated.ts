/**
 * Generated input: JSON, patterns, schemas and filters put together at random from parts that are
 * each expensive. A seed gives the same input again.
 */
import { randomUUID } from 'node:crypto'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { MIB, SHAPES } from './shapes.ts'

const BODY_BYTES = 250 * 1024
const ROUTES = [
  'events',
  'events/batch',
  'endpoints',
  'event-types',
  'api-keys',
  'transformations/test',
]
const SOURCES = ['twilio', 'stripe', 'github', 'slack', 'shopify', 'sendgrid', 'mailgun', 'hubspot']

/** A JSON text of about this many bytes. */
function json(random: SeededRandom, bytes: number, depth = 0): string {
  const kind = depth > 150 ? 0 : random.integer(6)
  if (bytes < 40 || kind === 0) return scalar(random, bytes)
  if (kind === 1) return `[${list(random, bytes, (own) => json(random, own, depth + 1))}]`
  if (kind === 2) return `{"${word(random)}":${json(random, bytes - 10, depth + 1)}}`
  const members = list(
    random,
    bytes,
    (own) => `"${word(random)}":${json(random, own - 10, depth + 1)}`,
  )
  return `{${members}}`
}

function list(random: SeededRandom, bytes: number, make: (bytes: number) => string): string {
  const count = 1 + random.integer(random.pick([3, 30, 3_000]))
  const own = Math.max(8, Math.floor(bytes / count))
  const parts: string[] = []
  for (let left = bytes; left > 0 && parts.length < count; left -= own) parts.push(make(own))
  return parts.join()
}

function scalar(random: SeededRandom, bytes: number): string {
  const size = Math.max(1, bytes - 2)
  return random.pick([
    () => `"${'x'.repeat(size)}"`,
    () => `"${'\\u00e9'.repeat(size / 6)}"`,
    () => `"${'𝄞'.repeat(size / 4)}"`,
    () => '9'.repeat(Math.min(size, 2_000)),
    () => `1e${random.integer(999)}`,
    () => 'null',
  ])()
}

function word(random: SeededRandom): string {
  return random.pick([
    'a',
    '__proto__',
    'constructor',
    'x'.repeat(60),
    '0',
    '$ref',
    String(random.integer(1e6)),
  ])
}

/** A pattern that RE2 may accept, made of what makes its programs large and its steps many. */
function pattern(random: SeededRandom, depth = 0): string {
  const atom = random.pick(['a', '[ab]', '.', '\\w', '[^c]', '(?i:abc)', '\\p{L}', 'ab'])
  if (depth > 3) return atom
  const inner = pattern(random, depth + 1)
  const times = 1 + random.integer(random.pick([5, 60, 900]))
  return random.pick([
    `(${inner}){${times}}`,
    `${atom}{${times}}${inner}`,
    `(${inner}|${atom})*`,
    `(${inner})+${atom}`,
    `${inner}${atom}?`,
  ])
}

function schema(random: SeededRandom, depth = 0): object {
  if (depth > 6) return { pattern: pattern(random) }
  const many = (): object[] =>
    Array.from({ length: 1 + random.integer(random.pick([2, 6])) }, () => schema(random, depth + 1))
  return random.pick<() => object>([
    () => ({ allOf: many() }),
    () => ({ anyOf: many() }),
    () => ({ oneOf: many(), uniqueItems: true }),
    () => ({ properties: { text: schema(random, depth + 1) } }),
    () => ({ additionalProperties: schema(random, depth + 1) }),
    () => ({ patternProperties: { [pattern(random)]: schema(random, depth + 1) } }),
    () => ({ pattern: pattern(random) }),
    () => ({ contains: schema(random, depth + 1), items: schema(random, depth + 1) }),
    () => ({ not: schema(random, depth + 1), propertyNames: { pattern: pattern(random) } }),
    () => ({
      format: random.pick(['url', 'uri', 'email', 'regex', 'date-time', 'hostname', 'ipv6']),
    }),
  ])()
}

function filter(random: SeededRandom): object[] {
  return Array.from({ length: 1 + random.integer(20) }, () => ({
    field: `$${random.pick(['.text', '[*]', '[*][*]', '[*].text', "['a']", '.a[0]'])}`,
    operator: random.pick(['regex', 'contains', 'eq', 'in', 'endsWith', 'exists']),
    value: random.pick<() => unknown>([
      () => pattern(random),
      () => 'ab'.repeat(1 + random.integer(120)),
      () => Array.from({ length: random.integer(100) }, () => 'a'.repeat(200)),
      () => true,
    ])(),
  }))
}

async function randomBodies(arena: Arena, random: SeededRandom): Promise<Dose> {
  const tenant = await arena.newTenant()
  const sendings = Array.from({ length: 40 }, () => {
    const inner = json(random, BODY_BYTES)
    const text = random.pick([
      inner,
      `{"payload":${inner},"eventType":"a"}`,
      `{"events":[${inner}]}`,
    ])
    return { path: random.pick(ROUTES), text }
  })
  return async () => {
    const problems: string[] = []
    for (const { path, text } of sendings) {
      const { status } = await tenant.call('POST', path, text, {
        'X-Idempotency-Key': randomUUID(),
      })
      if (status >= 500) problems.push(`${path} answered ${status} to ${text.slice(0, 120)}`)
    }
    return problems
  }
}

async function randomRules(arena: Arena, random: SeededRandom): Promise<Dose> {
  const tenant = await arena.newTenant()
  const payload = { text: 'ab'.repeat(60_000), a: [['ab'.repeat(5_000)]] }
  const rules = Array.from({ length: 15 }, (_, n) => ({
    name: `random.${n}`,
    schema: schema(random),
    filter: filter(random),
  }))
  return async () => {
    const problems: string[] = []
    for (const { name, schema: own, filter: conditions } of rules) {
      const typed = await tenant.call('POST', 'event-types', { name, schema: own })
      const filtered = await tenant.call('POST', 'endpoints', {
        url: `${arena.sinkUrl}/random`,
        eventTypes: [name],
        filter: conditions,
      })
      const sent = await tenant.postEvent({ eventType: name, payload })
      for (const { status, text } of [typed, filtered, sent])
        if (status >= 500)
          problems.push(`${status} ${text.slice(0, 120)} for ${JSON.stringify(own)}`)
    }
    return problems
  }
}

async function randomInbound(arena: Arena, random: SeededRandom): Promise<Dose> {
  const tenant = await arena.newTenant()
  const urls: string[] = []
  for (const source of SOURCES) urls.push((await tenant.createSource(source)).url)
  const sendings = Array.from({ length: 40 }, () => {
    const shape = random.pick(SHAPES)
    const bytes = 1_000 + random.integer(MIB - 2_000)
    const body = random.pick([() => shape.body(bytes), () => Buffer.from(json(random, bytes))])()
    return { url: random.pick(urls), type: shape.type, body }
  })
  return async () => {
    const problems: string[] = []
    for (const { url, type, body } of sendings) {
      const headers = { 'Content-Type': type, 'X-Twilio-Signature': 'AAAA', 'X-Signature': 'AAAA' }
      const { status } = await arena.send(url, { method: 'POST', headers, body })
      if (status >= 500) problems.push(`${type} was answered ${status}`)
    }
    return problems
  }
}

export const GENERATED: readonly Attack[] = [
  attack('generated: bodies', 'what nobody thought of', randomBodies),
  attack('generated: schemas and filters', 'what nobody thought of', randomRules),
  attack('generated: inbound bodies', 'what nobody thought of', randomInbound),
]
