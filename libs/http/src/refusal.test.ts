import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { toProblems } from './refusal.ts'

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
