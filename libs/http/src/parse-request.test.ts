import { expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { z } from 'zod'
import { MAX_JSON_DEPTH, parseJsonObject, refuseBadText, toProblems } from './parse-request.ts'

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

test('nesting is counted outside of strings, up to the limit', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}"[{\\"["${']'.repeat(depth - 1)}}`
  expect(parseJsonObject(nested(MAX_JSON_DEPTH))).toHaveProperty('a')
  expect(refusalOf(() => parseJsonObject(nested(MAX_JSON_DEPTH + 1))).message).toMatch(/nested/)
  expect(refusalOf(() => parseJsonObject(nested(1_000_000))).code).toBe('BAD_REQUEST')
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

test('query values are held to the same', () => {
  expect(refusalOf(() => refuseBadText({ cursor: 'a\0' })).details).toMatchObject([
    { path: 'cursor' },
  ])
  expect(refuseBadText({ cursor: 'a', limit: ['1', '2'] })).toBeUndefined()
})

test('each unknown field is a problem of its own, with its dotted path', () => {
  const schema = z.strictObject({ a: z.strictObject({ n: z.number() }) })
  const issues = schema.safeParse({ a: { n: '1', x: 1, y: 2 }, z: 3 }).error?.issues ?? []
  expect(
    toProblems(issues)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['a.n', 'a.x', 'a.y', 'z'])
})

test('a body of mistakes answers a bounded number of them', () => {
  const body = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`${n}`.padStart(5_000), 1]),
  )
  const problems = toProblems(z.strictObject({}).safeParse(body).error?.issues ?? [])
  expect(problems).toHaveLength(100)
  expect(problems[0]?.path.length).toBeLessThan(300)
})
