import { describe, expect, test } from '@jest/globals'
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  conditionText,
  parseCondition,
  signOf,
  windowProblem,
} from './alert-condition.ts'

describe('a condition as text', () => {
  test('is the same as its object', () => {
    expect(parseCondition('failure_rate > 5 over 5m')).toEqual({
      outcome: 'ok',
      condition: { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' },
    })
  })

  test('may leave out spaces and the window', () => {
    for (const text of ['latency>=1.5', '  latency >= 1.5  ', 'latency\t>=1.5 over 5m']) {
      expect(parseCondition(text)).toEqual({
        outcome: 'ok',
        condition: { metric: 'latency', operator: 'gte', value: 1.5, window: '5m' },
      })
    }
  })

  test('is read back from what it is written as, whatever its metric and operator', () => {
    for (const metric of ALERT_METRICS) {
      for (const operator of ALERT_OPERATORS) {
        for (const value of [0, -3, 2_500_000, 0.25]) {
          const condition = { metric, operator, value, window: '1h30m' }
          expect(parseCondition(conditionText(condition))).toEqual({ outcome: 'ok', condition })
        }
      }
    }
  })

  test.each([
    ['', 1, /begin with one of failure_rate/],
    ['constructor > 5', 1, /begin with one of/],
    ['__proto__ > 5', 1, /begin with one of/],
    ['failure_rate', 13, /> >= < <= == !=/],
    ['failure_rate = 5', 14, /> >= < <= == !=/],
    ['failure_rate => 5', 14, /> >= < <= == !=/],
    ['failure_rate > ', 15, /a number/],
    ['failure_rate > five', 16, /a number/],
    ['failure_rate > 1e999', 16, /a number/],
    ['failure_rate > 5 in 5m', 18, /over/],
    ['failure_rate > 5 over', 22, /duration/],
    ['failure_rate > 5 over 5', 23, /duration/],
    ['failure_rate > 5 over 30s', 23, /1m to 720h/],
    ['failure_rate > 5 over 721h', 23, /1m to 720h/],
    ['failure_rate > 5 over 5m please', 26, /end/],
    [`failure_rate > 5${' '.repeat(200)}`, 1, /longer than 200/],
  ])('%j is refused at column %i', (text, column, message) => {
    expect(parseCondition(text)).toEqual({
      outcome: 'invalid',
      column,
      message: expect.stringMatching(message),
    })
  })
})

test('each operator has a sign of its own', () => {
  expect(new Set(ALERT_OPERATORS.map(signOf)).size).toBe(ALERT_OPERATORS.length)
})

test('windows are from a minute to 30 days', () => {
  for (const text of ['1m', '60s', '720h']) expect(windowProblem(text)).toBeNull()
  for (const text of ['59s', '720h1s', '5', '']) expect(windowProblem(text)).not.toBeNull()
})
