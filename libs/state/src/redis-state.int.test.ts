import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { redisUrl } from '@posthorn/testing/stores'
import { Redis } from 'ioredis'
import {
  applyReport,
  type Circuit,
  type CircuitReport,
  requestPermit,
  resetCircuit,
} from '@posthorn/domain/circuit'
import { startLoopTime } from '@posthorn/testing/loop-time'
import {
  PASS_CIRCUIT_SCRIPT,
  parseCircuit,
  REPORT_CIRCUIT_SCRIPT,
  RESET_CIRCUIT_SCRIPT,
} from './circuit-scripts.ts'
import { controlsConformance } from './controls.conformance.ts'
import { COUNT_GUESS_SCRIPT, countGuessIn } from './guesses.ts'
import { type RateBucket, TAKE_TOKENS_SCRIPT, takeTokensFrom } from './rate-bucket.ts'
import type { RedisAccess } from './redis-clients.ts'
import { createRedisState } from './redis-state.ts'
import { LONG_TIMEOUT, stateConformance } from './state.conformance.ts'
import type { StateStore } from './state-store.ts'
import { TOKEN_BUCKET_SCRIPT } from './token-bucket-script.ts'
import { takeTokenFrom, type TokenBucket } from './token-bucket.ts'

/** An outage that no test expects must not pass for a store that grants everything. */
function rejectErrors(error: unknown, doing: string): never {
  throw new Error(doing, { cause: error })
}

const makeState = async () =>
  createRedisState(
    { url: await redisUrl(), prefix: randomUUID(), ...LONG_TIMEOUT },
    { onError: rejectErrors },
  )
stateConformance('Redis', makeState)
controlsConformance('Redis', makeState)

describe('createRedisState', () => {
  test('keeps prefixes apart', async () => {
    const claim = { key: randomUUID(), ttlMs: 60_000 }
    for (const prefix of ['one:', 'two:']) {
      const config = { url: await redisUrl(), prefix: prefix + randomUUID(), ...LONG_TIMEOUT }
      const state = await createRedisState(config, { onError: rejectErrors })
      expect(await state.claim([claim])).toEqual([true])
      await state.close()
    }
  })

  test('repeats the sums of takeTokenFrom', async () => {
    const redis = new Redis(await redisUrl())
    try {
      for (const rate of [0.7, 3, 50, 977.3]) {
        const key = randomUUID()
        let bucket: TokenBucket | undefined
        for (let take = 0; take < 200; take += 1) {
          const answer = (await redis.eval(TOKEN_BUCKET_SCRIPT, 1, key, rate)) as number[]
          const [allowed, remaining, retryAfterMs, resetMs, now] = answer
          const same = takeTokenFrom(bucket, rate, now ?? 0)
          expect({ allowed: allowed === 1, remaining, retryAfterMs, resetMs }).toEqual(same.answer)
          if (same.answer.allowed) bucket = same.bucket
        }
        expect(await redis.pttl(key)).not.toBe(-1)
      }
    } finally {
      redis.disconnect()
    }
  })

  test('repeats the sums of takeTokensFrom', async () => {
    const redis = new Redis(await redisUrl())
    try {
      for (const perSecond of [0.7, 3, 50, 977.3]) {
        const key = randomUUID()
        let bucket: RateBucket | undefined
        for (let take = 0; take < 200; take += 1) {
          const wanted = 1 + (take % 3)
          const backlog = (['owned', 'none', 'none', 'none', 'ended', 'none'] as const)[take % 6]!
          const priority = 1 + (take % 7)
          const args = [key, perSecond, wanted, backlog, priority]
          const answer = (await redis.eval(TAKE_TOKENS_SCRIPT, 1, ...args)) as number[]
          const [granted, retryAfterMs, elsewhere, now = 0] = answer
          const same = takeTokensFrom(bucket, { perSecond, wanted, backlog, priority }, now)
          const told = { granted, retryAfterMs, backlogElsewhere: elsewhere === 1 }
          expect(told).toEqual(same.answer)
          bucket = same.bucket
        }
        expect(await redis.pttl(key)).toBeGreaterThan(0)
      }
    } finally {
      redis.disconnect()
    }
  })

  test('repeats the sums of countGuessIn', async () => {
    const redis = new Redis(await redisUrl())
    try {
      for (const policy of [
        { max: 1, windowMs: 2, lockMs: 2 },
        { max: 3, windowMs: 4, lockMs: 1 },
        { max: 5, windowMs: 2, lockMs: 6 },
      ]) {
        const key = randomUUID()
        let times: readonly number[] = []
        for (let guess = 0; guess < 300; guess += 1) {
          const args = [key, policy.max, policy.windowMs, policy.lockMs]
          const told = (await redis.eval(COUNT_GUESS_SCRIPT, 1, ...args)) as number[]
          const [allowed, count, retryAfterMs, now = 0] = told
          const same = countGuessIn(times, policy, now)
          // A list that is about to expire has no guesses in its window, so both count from 1.
          expect({ allowed: allowed === 1, count, retryAfterMs }).toEqual(same.answer)
          times = same.times
        }
        expect(await redis.pttl(key)).not.toBe(-1)
      }
    } finally {
      redis.disconnect()
    }
  })

  test('decides about circuits as the domain does', async () => {
    const redis = new Redis(await redisUrl())
    const signals = ['failure', 'failure', 'failure', 'success', 'nothing', 'failure'] as const
    try {
      const key = randomUUID()
      let circuit: Circuit | undefined
      const seen = new Set<string>()
      for (let step = 0; step < 400; step += 1) {
        // First a circuit that is open lets a probe through at once, then not before the end.
        const policy = { threshold: 3, resetMs: step < 200 ? 1 : 600_000 }
        if (step % 97 === 96) {
          const [now] = (await redis.eval(RESET_CIRCUIT_SCRIPT, 1, key)) as [number, string]
          circuit = resetCircuit(now)
        } else if (step % 5 === 4) {
          // Long enough, at some steps, for a circuit that is open to let a probe through.
          const until = performance.now() + (step % 15 === 14 ? 3 : 0)
          while (performance.now() < until);
          const passed = (await redis.eval(PASS_CIRCUIT_SCRIPT, 1, key, 2)) as [
            number,
            string,
            string,
          ]
          const same = requestPermit(circuit, 2, passed[0])
          circuit = same.circuit
          expect(passed[1]).toBe(same.permit.outcome)
          expect(parseCircuit(passed[2])).toEqual(circuit)
          seen.add(passed[1])
        } else {
          const signal = signals[(step * 7) % 6] ?? 'nothing'
          const report: CircuitReport = {
            signal,
            isProbe: step % 3 === 0,
            durationMs: (step % 4) - 1,
          }
          const args = [key, signal, report.isProbe ? 1 : 0, report.durationMs, 3, policy.resetMs]
          const told = (await redis.eval(REPORT_CIRCUIT_SCRIPT, 1, ...args)) as [
            number,
            string,
            string,
          ]
          const same = applyReport(circuit, report, policy, told[0])
          circuit = same.circuit
          expect(told[1]).toBe(same.change ?? '')
          expect(parseCircuit(told[2])).toEqual(circuit)
          seen.add(told[1])
        }
      }
      const all = ['', 'closed', 'opened', 'probe', 'reopened', 'wait']
      expect([...seen].sort()).toEqual(all)
      expect(await redis.pttl(key)).not.toBe(-1)
    } finally {
      redis.disconnect()
    }
  })

  test('is open for work before Redis is', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const state = await createRedisState({ url: 'redis://127.0.0.1:1' }, { onError })
    expect(await state.claim([{ key: 'a', ttlMs: 1_000 }])).toEqual([null])
    expect((await state.check()).ok).toBe(false)
    expect(errors).toHaveLength(1)
    await state.close()
  })
})

describe('createRedisState, when Redis goes', () => {
  const errors: unknown[] = []
  let server: ServerHandle
  let state: StateStore
  const claims = [
    { key: 'a', ttlMs: 60_000 },
    { key: 'b', ttlMs: 60_000 },
  ]

  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterEach(() => state.close())
  afterAll(() => server.stop())

  async function open(config: Partial<RedisAccess> = {}) {
    const onError = (error: unknown) => void errors.push(error)
    state = await createRedisState({ url: server.url, ...config }, { onError })
    // On a starved machine a Redis that is there may answer later than it is waited for.
    await eventually(claimsAreTaken)
    errors.length = 0
  }

  async function claimsAreTaken(): Promise<boolean> {
    await state.claim(claims)
    return (await state.claim(claims)).every((granted) => granted === false)
  }

  async function expectOpen(withinMs: number) {
    const elapsedMs = startLoopTime()
    const report: CircuitReport = { signal: 'failure', isProbe: false, durationMs: 0 }
    const [claimed, token, tokens, circuits, permit, reported] = await Promise.all([
      state.claim(claims),
      state.takeToken('limit', 7),
      state.takeTokens('rate', { perSecond: 1, wanted: 9, priority: 5, backlog: 'none' }),
      state.readCircuits(['a', 'b']),
      state.passCircuit('a', 1_000),
      state.reportCircuit('a', report, { threshold: 1, resetMs: 60_000 }),
      state.renew(claims),
    ])
    expect(tokens).toEqual({ granted: 9, retryAfterMs: 0, backlogElsewhere: false })
    expect(circuits.map((circuit) => circuit.state)).toEqual(['closed', 'closed'])
    expect(permit).toEqual({ outcome: 'closed' })
    expect(reported).toMatchObject({ change: null, view: { state: 'closed' } })
    expect(elapsedMs()).toBeLessThan(withinMs)
    expect(claimed).toEqual([null, null])
    expect(token).toEqual({ allowed: true, remaining: 7, retryAfterMs: 0, resetMs: 0 })
  }

  test('counts guesses by itself when Redis goes', async () => {
    await open({ prefix: 'guesses:' })
    const policy = { max: 2, windowMs: 60_000, lockMs: 60_000 }
    await server.kill()
    const allowed = async () => (await state.countGuess('a', policy)).allowed
    expect([await allowed(), await allowed(), await allowed()]).toEqual([true, true, false])
    await state.forgetGuesses('a', 'all')
    expect(await allowed()).toBe(true)
    await server.restart()
    await expectBack()
  })

  async function expectBack() {
    await eventually(async () => (await state.check()).ok)
    await eventually(claimsAreTaken)
    await eventually(async () => (await state.takeToken('limit', 7)).remaining < 7)
  }

  test('grants everything at once after a kill, and comes back by itself', async () => {
    await open()
    await server.kill()
    await expectOpen(300)
    await expectOpen(300)
    expect((await state.check()).ok).toBe(false)
    expect(errors).toHaveLength(1)
    await server.restart()
    await expectBack()
  })

  test('grants everything while it is frozen, and comes back by itself', async () => {
    await open({ prefix: 'frozen:' })
    process.kill(server.pid, 'SIGSTOP')
    try {
      await expectOpen(300)
      // The store knows by now that Redis is away: nothing waits for it.
      await expectOpen(50)
      expect(errors).toHaveLength(1)
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await expectBack()
  })
})
