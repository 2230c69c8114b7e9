import { expect, test } from '@jest/globals'
import { readOptions } from './options.ts'

test('without arguments all rows in both modes, five times', () => {
  expect(readOptions([])).toEqual({
    quick: false,
    only: null,
    modes: ['standalone', 'cluster'],
    runs: 5,
    compare: null,
    record: false,
    report: null,
  })
})

test('rows, mode, runs and a checkout to compare with', () => {
  const given = [
    '--only',
    '1,3',
    '--only',
    '12',
    '--mode',
    'cluster',
    '--runs',
    '2',
    '--compare',
    '../x',
  ]
  expect(readOptions(given)).toMatchObject({
    only: [1, 3, 12],
    modes: ['cluster'],
    runs: 2,
    compare: '../x',
  })
  expect(readOptions(['--quick'])).toMatchObject({ quick: true, runs: 1 })
  expect(readOptions(['--quick', '--compare', '../x'])).toMatchObject({ runs: 10 })
})

test.each([
  ['--only', 'x'],
  ['--mode', 'both'],
  ['--runs', '0'],
  ['--fast', ''],
])('%s %s is refused by its name', (option, value) => {
  expect(() => readOptions([option, value])).toThrow(option)
})
