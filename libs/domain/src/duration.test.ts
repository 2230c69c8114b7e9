import { expect, test } from '@jest/globals'
import { parseDuration } from './duration.ts'

test.each([
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['720h', 2_592_000_000],
  ['250ms', 250],
  ['0s', 0],
  ['1m1m', 120_000],
])('%s is read as Go reads it', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  '',
  '5',
  'm',
  '5 m',
  '-5m',
  '5d',
  '5m ',
  ' 5m',
  '1e3s',
  '.5h',
  '5M',
  `${'1s'.repeat(17)}`,
])('%j is none', (text) => {
  expect(parseDuration(text)).toBeNull()
})
