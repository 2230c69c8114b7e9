import { expect, test } from '@jest/globals'
import { limitRate, type RateLimitDeps } from './rate-limit.ts'

const KEY = { of: 'API key', id: 'k', perSecond: 100 } as const
const WORKSPACE = { of: 'workspace', id: 't', perSecond: 50 } as const

/** @param left tokens by bucket, after the one that is asked for; below 0: it is refused */
function limits(left: Record<string, number>): RateLimitDeps {
  return {
    now: () => 10_000,
    takeToken: async (bucket) => {
      const remaining = left[bucket] ?? Number.NaN
      const allowed = remaining >= 0
      return { allowed, remaining: Math.max(0, remaining), retryAfterMs: 1_500, resetMs: 2_000 }
    },
  }
}

function response() {
  const headers = new Map<string, unknown>()
  return {
    headers,
    getHeader: (name: string) => headers.get(name) as string | undefined,
    setHeader(name: string, value: unknown) {
      headers.set(name, value)
      return this as never
    },
  }
}

test.each([
  [{ 'api-key:k': 7, 'tenant:t': 9 }, '100', '7'],
  [{ 'api-key:k': 9, 'tenant:t': 7 }, '50', '7'],
  [{ 'api-key:k': 7, 'tenant:t': 7 }, '100', '7'],
])('the headers tell of the limit that leaves less: %j', async (left, limit, remaining) => {
  const answer = response()
  await limitRate(limits(left), KEY, answer)
  await limitRate(limits(left), WORKSPACE, answer)
  expect(answer.headers.get('X-RateLimit-Limit')).toBe(limit)
  expect(answer.headers.get('X-RateLimit-Remaining')).toBe(remaining)
  expect(answer.headers.get('X-RateLimit-Reset')).toBe('12')
})

test('a limit that is used up refuses and tells of itself', async () => {
  const answer = response()
  const left = { 'api-key:k': 0, 'tenant:t': -1 }
  await limitRate(limits(left), KEY, answer)
  await expect(limitRate(limits(left), WORKSPACE, answer)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: "the workspace's limit of 50 requests a second is used up",
    retryAfterSeconds: 2,
  })
  expect(answer.headers.get('X-RateLimit-Limit')).toBe('50')
})
