import { expect, test } from '@jest/globals'
import { CompanyName, LogIn, SignUp } from './auth.ts'

test.each(['Ada', 'Ünal & Söhne', '株式会社', 'a b', '🐎'])('%s is a name', (name) => {
  expect(CompanyName.safeParse(name).success).toBe(true)
})

test.each([
  ['nothing', ''],
  ['spaces', '  '],
  ['a line break', 'a\r\nBcc: e@example.com'],
  ['NUL', 'a\0'],
  ['half a character', 'a\ud800'],
  ['101 characters', 'a'.repeat(101)],
])('%s is no name', (_, name) => expect(CompanyName.safeParse(name).success).toBe(false))

test('a long name is refused in a time that grows with its length alone', () => {
  const cpuOf = (length: number): number => {
    const before = process.cpuUsage()
    for (const end of ['', '\n', ' ']) {
      for (const part of ['a', ' ', 'a ']) CompanyName.safeParse(part.repeat(length) + end)
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  cpuOf(1_000)
  // Four hundred times as long; a pattern that tries each place would take 160,000 times as much.
  expect(cpuOf(400_000)).toBeLessThan(20_000 * Math.max(50, cpuOf(1_000)))
})

test('fields that nobody knows are refused, and passwords of any size that may be stored taken', () => {
  const body = { email: 'a@example.com', password: 'x'.repeat(1_024) }
  expect(LogIn.safeParse(body).success).toBe(true)
  expect(LogIn.safeParse({ ...body, password: 'x'.repeat(1_025) }).success).toBe(false)
  expect(LogIn.safeParse({ ...body, isAdmin: true }).success).toBe(false)
  expect(SignUp.safeParse({ ...body, companyName: 'W', role: 'admin' }).success).toBe(false)
})
