import { describe, expect, test } from '@jest/globals'
import { DEFAULT_BACKOFF } from './backoff.ts'
import {
  ERROR_CATEGORIES,
  isSuccess,
  classifyAttempt,
  type Observation,
} from './classify-attempt.ts'

const NOW = 1_700_000_000_000
const first = { ...DEFAULT_BACKOFF, attemptsMade: 1, maxAttempts: 5 }
const last = { ...first, attemptsMade: 5 }

test('Retry-After counts for an answer that is recorded as an error, too', () => {
  const error = { outcome: 'error', category: 'storage', detail: 'busy' } as const
  const hinted = { ...error, response: { statusCode: 503, retryAfter: '60' } }
  const waitOf = (observed: Observation): unknown => {
    const outcome = classifyAttempt(observed, first, NOW, 0)
    return outcome.outcome === 'retry' && outcome.afterMs
  }
  expect(waitOf(hinted)).toBe(60_000)
  expect(waitOf({ ...hinted, response: { statusCode: 500, retryAfter: '60' } })).toBe(waitOf(error))
})

function response(statusCode: number, retryAfter?: string): Observation {
  return { outcome: 'response', statusCode, retryAfter }
}

test.each([200, 201, 202, 204, 226, 299])('%d is success, also on the last attempt', (status) => {
  expect(classifyAttempt(response(status), first, NOW, 0.5)).toEqual({ outcome: 'delivered' })
  expect(classifyAttempt(response(status), last, NOW, 0.5)).toEqual({ outcome: 'delivered' })
  expect(isSuccess(status)).toBe(true)
})

describe('a failure with attempts left is retried', () => {
  test.each([
    [301, 'http_3xx'],
    [304, 'http_3xx'],
    [400, 'http_4xx'],
    [404, 'http_4xx'],
    [408, 'http_4xx'],
    [429, 'http_4xx'],
    [500, 'http_5xx'],
    [503, 'http_5xx'],
    [599, 'http_5xx'],
  ])('%d: %s', (status, category) => {
    expect(classifyAttempt(response(status), first, NOW, 0.5)).toEqual({
      outcome: 'retry',
      category,
      error: `${category}: status ${status}`,
      afterMs: 1_000,
    })
    expect(isSuccess(status)).toBe(false)
  })

  test.each(ERROR_CATEGORIES.filter((category) => category !== 'blocked'))('%s', (category) => {
    const observed: Observation = { outcome: 'error', category, detail: 'what happened' }
    expect(classifyAttempt(observed, { ...first, attemptsMade: 3 }, NOW, 0.5)).toEqual({
      outcome: 'retry',
      category,
      error: `${category}: what happened`,
      afterMs: 4_000,
    })
  })
})

describe('dead', () => {
  test.each([5, 6])('when its attempts are used up: %d of 5', (attemptsMade) => {
    expect(classifyAttempt(response(500), { ...first, attemptsMade }, NOW, 0.5)).toEqual({
      outcome: 'dead',
      category: 'http_5xx',
      error: 'http_5xx: status 500',
      reason: 'attempts used up',
      gone: false,
    })
  })

  test('at once when it is gone', () => {
    expect(classifyAttempt(response(410), first, NOW, 0.5)).toMatchObject({
      outcome: 'dead',
      reason: 'gone',
      gone: true,
    })
  })

  test('at once when the destination is blocked', () => {
    const observed: Observation = { outcome: 'error', category: 'blocked', detail: '10.0.0.1' }
    expect(classifyAttempt(observed, first, NOW, 0)).toEqual({
      outcome: 'dead',
      category: 'blocked',
      error: 'blocked: 10.0.0.1',
      reason: 'destination blocked',
      gone: false,
    })
  })
})

test.each([
  [429, '60', 63_000],
  [503, '60', 63_000],
  [503, 'junk', 1_000],
  [503, '0', 1_000],
  [500, '60', 1_000],
  [404, '60', 1_000],
  [429, '999999999', 86_400_000 * 1.05],
])('Retry-After on %d of %s: %d ms', (status, header, afterMs) => {
  expect(classifyAttempt(response(status, header), first, NOW, 0.5)).toMatchObject({ afterMs })
})
