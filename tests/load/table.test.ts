import { expect, test } from '@jest/globals'
import {
  comparedTable,
  comparison,
  costTable,
  figureTable,
  formatNumber,
  formatRatio,
} from './table.ts'

test.each([
  [0, '0'],
  [0.3456, '0.346'],
  [2, '2'],
  [8.25, '8.25'],
  [20.04, '20'],
  [55.44, '55.4'],
  [300, '300'],
  [3_614.4, '3,610'],
  [123_456, '123,000'],
  [Number.POSITIVE_INFINITY, '∞'],
])('%d is written %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test('a ratio is the value now over the value before', () => {
  expect(formatRatio(150, 100)).toBe('1.50x')
  expect(formatRatio(150, 0)).toBe('')
})

test('a comparison has a line for each figure and mode, and marks regressions', () => {
  const columns = [
    {
      mode: 'standalone',
      now: { 'direct.perSecond': 4_100 },
      before: { 'direct.perSecond': 5_000 },
    },
    { mode: 'cluster', now: { 'direct.perSecond': 1_000 }, before: {} },
  ] as const
  const lines = comparison(columns, true)
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/^1 .* standalone +4,000 +5,000 +4,100 \/s +0\.82x +REGRESSION$/)
  expect(lines[2]).toMatch(/cluster +2,500 +1,000 \/s +below the aim$/)
  expect(comparison(columns, false)[1]).toMatch(/0\.82x$/)
})

test('checkouts side by side have a line for each figure, with the bounds of its ratio', () => {
  const ratio = { now: 980, before: 1_000, ratio: 0.98, low: 0.954, high: 1.01 }
  const lines = comparedTable([{ row: 1, mode: 'cluster', title: 'delivered/s', ratio }])
  expect(lines[1]).toBe('1    cluster  delivered/s     1,000  980  0.98x  0.95 to 1.01')
})

test('the page has both modes side by side with the aims in brackets, and in bold the figures that miss them', () => {
  const lines = figureTable({ standalone: { 'idle.cpu': 0.5 }, cluster: { 'idle.cpu': 6 } })
  expect(lines).toHaveLength(3)
  expect(lines[2]).toBe(
    '| 13 | idle: processor time of all processes, of one core, % | 0.5 (1) | **6** (4) |',
  )
  expect(figureTable({ standalone: { 'idle.cpu': 0.5 }, cluster: {} })[2]).toContain('| – |')
})

test('costs are listed by the names of both modes', () => {
  expect(costTable({ standalone: { a: 1 }, cluster: { b: 2 } }).slice(2)).toEqual([
    '| a | 1 | – |',
    '| b | – | 2 |',
  ])
})
