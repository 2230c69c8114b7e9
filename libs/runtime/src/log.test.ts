/** Log lines as their readers rely on them: each is a JSON object, whatever was to be logged. */
import { expect, test } from '@jest/globals'
import { createLineFormatter, type LogFields } from './log.ts'

const TIME = '2026-01-02T03:04:05.678Z'
const lineOf = createLineFormatter('a "service"')

function logged(fields: LogFields): unknown {
  const line = lineOf(30, TIME, 'attempt.finished', fields)
  expect(line.endsWith('}\n')).toBe(true)
  expect(line.trimEnd()).not.toContain('\n')
  return JSON.parse(line)
}

const common = { level: 30, time: TIME, service: 'a "service"', event: 'attempt.finished' }

test('fields stand between the common ones, and what is undefined is left out', () => {
  expect(logged({ a: 1, b: null, c: undefined, d: 'x\n"' })).toEqual({
    ...common,
    a: 1,
    b: null,
    d: 'x\n"',
  })
  expect(logged({})).toEqual(common)
  expect(lineOf(30, TIME, 'x', { n: 1 })).toMatch(/^\{"level":30,"time":.*,"n":1,"event":"x"\}\n$/)
})

test('an error is told with its code, its stack and its cause', () => {
  const error = Object.assign(new Error('no', { cause: new Error('why') }), { code: 'E' })
  expect(logged({ error })).toEqual({
    ...common,
    error: { message: 'no', code: 'E', stack: error.stack, cause: 'why' },
  })
})

test('what JSON has no words for is cut off, and the rest of the line stays', () => {
  const circle: LogFields = { name: 'circle' }
  circle.self = circle
  expect(logged({ circle, big: 12n, n: 1, none: null })).toEqual({
    ...common,
    circle: { name: 'circle', self: '[again]' },
    big: '12',
    n: 1,
    none: null,
  })
})
