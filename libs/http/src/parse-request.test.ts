import { expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { MAX_NESTING } from '@posthorn/domain/nesting'
import { type ValueLimits, parseBodyText, parseJsonObject } from './parse-request.ts'

function refusalOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test.each(['', '{', 'null', '[]', '"x"', '1', '{"a":1}}', '{"a":01}', '{"a":"\t"}'])(
  'refuses %j as a body',
  (text) => {
    expect(refusalOf(() => parseJsonObject(text)).code).toBe('BAD_REQUEST')
  },
)

test('what was built of too many values is told', async () => {
  const onTooMany = (built: unknown): never => {
    const { a, b } = built as { a: number; b: { c: object[] } }
    throw new ApiError('BAD_REQUEST', `a ${a}, c ${b.c.length}`)
  }
  const text = `{"a":1,"b":{"c":[${'{},'.repeat(400_000)}{}]}}`
  await expect(parseBodyText(text, { maxValues: 100, onTooMany })).rejects.toThrow('a 1, c 96')
})

test('the payload of a large test of a transformation is checked and not built', async () => {
  const payload = `{"a":[${'{},'.repeat(600_000)}{}]}`
  const text = `{"event":{"payload":${payload},"eventType":"a"}}`
  expect(await parseLarge(text)).toEqual({ event: { payload: {}, eventType: 'a' } })
  await expect(parseLarge(text.replace('{}]', '{},]'))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test.each([
  ['payload', (deep: string) => `{"eventType":"a","payload":${deep}}`],
  ['schema', (deep: string) => `{"schema":${deep}}`],
  ['events.1.payload', (deep: string) => `{"events":[{"payload":{}},{"payload":${deep}}]}`],
  ['events.0.headers', (deep: string) => `{"events":[{"headers":${deep}}]}`],
  ['event.payload', (deep: string) => `{"transformation":"","event":{"payload":${deep}}}`],
])('a field is nested at most 200 levels deep, and named when it is deeper: %s', (path, bodyOf) => {
  const nested = (levels: number): string =>
    `{"a":${'['.repeat(levels - 1)}"[{\\"["${']'.repeat(levels - 1)}}`
  expect(parseJsonObject(bodyOf(nested(MAX_NESTING)))).toBeTruthy()
  for (const levels of [MAX_NESTING + 1, 5_000, 1_000_000]) {
    const refused = refusalOf(() => parseJsonObject(bodyOf(nested(levels))))
    expect(refused.code).toBe('BAD_REQUEST')
    expect(refused.details).toEqual([
      { path, message: expect.stringMatching(/nested at most 200/) },
    ])
  }
})

test.each([
  ['{"name":"a\\u0000b"}', 'name'],
  ['{"list":["ok",{"x":"\\ud800"}]}', 'list.1.x'],
  ['{"a":{"__proto__":"x"}}', 'a.__proto__'],
  ['{"a":{"\\u005f_proto__":"x"}}', 'a.__proto__'],
])('names the field of bad text in %s', (text, path) => {
  expect(refusalOf(() => parseJsonObject(text)).details).toMatchObject([{ path }])
})

test.each([
  '{"payload":{"a":"\\u0000\\ud800","__proto__":1}}',
  '{"events":[{"payload":{"a":"\\u0000"}}]}',
  '{"a":"\\ud83d\\ude00"}',
])('leaves alone what is kept as JSON text, and whole characters: %s', (text) => {
  expect(parseJsonObject(text)).toBeTruthy()
  expect(({} as { a?: unknown }).a).toBeUndefined()
})

const LIMITS: ValueLimits = {
  maxValues: 524_288,
  onTooMany() {
    throw new ApiError('BAD_REQUEST', 'too many')
  },
}

async function parseLarge(text: string): Promise<Record<string, unknown>> {
  return await parseBodyText(text, LIMITS)
}

test('a large body of very many values is parsed in steps, to the same value and with the same refusals', async () => {
  const body = { all: Array.from({ length: 60_000 }, (_, n) => ({ n: `v${n}` })) }
  const text = JSON.stringify(body)
  expect(await parseLarge(text)).toEqual(body)
  for (const bad of [text.slice(0, -1), `${text}x`, `[${text}]`, text.replace('"v1"', '"\\u0000"')])
    await expect(parseLarge(bad)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('the payloads of a large batch are checked and not built', async () => {
  const item = `{"idempotencyKey":"k","payload":{"a":[${'0,'.repeat(8_000)}0]}}`
  const batch = (items: readonly string[]): string => `{"events":[${items.join()}]}`
  const items = Array.from({ length: 100 }, () => item)
  const { events } = (await parseLarge(batch(items))) as { events: object[] }
  expect(events).toHaveLength(100)
  expect(events[99]).toEqual({ idempotencyKey: 'k', payload: {} })
  const broken = batch([...items, item.replace('0,0]', '0,0,]')])
  await expect(parseLarge(broken)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test.each([
  ['payload', (deep: string) => `"payload":${deep}`],
  ['events.1.payload', (deep: string) => `"events":[{"payload":{}},{"payload":${deep}}]`],
  ['events.0.headers', (deep: string) => `"events":[{"headers":${deep}}]`],
  ['event.payload', (deep: string) => `"event":{"payload":${deep}}`],
])(
  'a field of a large body is nested as deep as one of a small body: %s',
  async (path, fieldOf) => {
    const filling = `"filling":[${'{},'.repeat(140_000)}{}]`
    const bodyOf = (levels: number): string => {
      const deep = `{"a":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}}`
      return `{${filling},${fieldOf(deep)}}`
    }
    expect(await parseLarge(bodyOf(MAX_NESTING))).toBeTruthy()
    for (const levels of [MAX_NESTING + 1, 100_000]) {
      await expect(parseLarge(bodyOf(levels))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path, message: expect.stringMatching(/nested at most 200/) }],
      })
    }
  },
)

test.each([
  ['values', `{"a":[${'{},'.repeat(600_000)}{}]}`],
  ['fields', `{"a":{${Array.from({ length: 60_000 }, (_, n) => `"f${n}":{}`).join()}}}`],
  ['levels', `[${'['.repeat(1_000_000)}`],
])('a large body of more %s than any may have is refused before it is built', async (_, text) => {
  await expect(parseLarge(text)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
