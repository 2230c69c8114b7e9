/**
 * Shared state in Redis. It fails open: while Redis is away or slow, every token is given, guesses
 * are counted in this process, no claim is decided, and callers learn of it only through `onError`,
 * `check` and a claim's null. No call waits for Redis longer than one command's timeout.
 *
 * A claim does not know its owner: only its owner may renew it.
 */
import {
  CLOSED,
  type CircuitChange,
  type CircuitPolicy,
  type CircuitReport,
  type CircuitPermit,
  viewCircuit,
} from '@posthorn/domain/circuit'
import { parseCircuit } from './circuit-scripts.ts'
import type { KeyNames } from './hash-tags.ts'
import { createInProcessGuesses, type GuessCounts } from './in-process-guesses.ts'
import { parseBucket, tokensLeft } from './read-tokens.ts'
import {
  firstConnection,
  openRedisClients,
  type PlainClient,
  type RedisAccess,
  type ScriptClient,
} from './redis-clients.ts'
import { createGuard, type Guard, type RedisStateDeps } from './redis-guard.ts'
import type { Claim, StateStore, TokenAnswer } from './state-store.ts'
import { assertRate } from './token-bucket.ts'

export async function createRedisState(
  config: RedisAccess,
  deps: RedisStateDeps,
): Promise<StateStore> {
  const { plain, scripts, names } = openRedisClients(config)
  const guard = createGuard(deps, config.commandTimeoutMs)
  for (const client of [plain, scripts]) {
    client.on('error', (error: unknown) => guard.failed(error, 'connecting to Redis'))
  }
  await Promise.all([plain, scripts].map(firstConnection))

  return {
    ...createClaims({ plain, scripts, names }, guard),
    ...createLimits(plain, scripts, guard),
    ...createRecentCounts({ scripts, names }, guard),
    ...createGuesses(plain, scripts, guard),
    ...createCircuits({ scripts, names }, guard),
    async check() {
      try {
        await plain.ping()
        return { ok: true, detail: 'Redis answers' }
      } catch (error) {
        return { ok: false, detail: `Redis does not answer: ${String(error)}` }
      }
    },
    async close() {
      for (const client of [plain, scripts]) client.disconnect()
    },
  }
}

function createClaims(
  { plain, scripts, names }: { plain: PlainClient; scripts: ScriptClient; names: KeyNames },
  guard: Guard,
): Pick<StateStore, 'claim' | 'renew'> {
  return {
    async claim(claims) {
      if (claims.length === 0) return []
      return guard.ask<(boolean | null)[]>(
        'claiming',
        async () => {
          const answers = await names.inBatches(
            claims,
            ({ key }) => key,
            (some) => {
              const keys = some.map(({ key }) => names.of(key))
              const ttls = some.map(({ ttlMs }) => wholeMs(ttlMs))
              return scripts.claimAll(keys.length, ...keys, ...ttls)
            },
          )
          return answers.map((answer) => answer === 1)
        },
        () => claims.map(() => null),
      )
    },
    async renew(claims: readonly Claim[]) {
      await Promise.all(
        claims.map(({ key, ttlMs }) =>
          guard.ask(
            'renewing claims',
            async () => void (await plain.pexpire(names.of(key), wholeMs(ttlMs))),
            () => undefined,
          ),
        ),
      )
    },
  }
}

function createLimits(
  plain: PlainClient,
  scripts: ScriptClient,
  guard: Guard,
): Pick<StateStore, 'takeToken' | 'takeTokens' | 'readTokens'> {
  return {
    async readTokens(buckets) {
      if (buckets.length === 0) return []
      return guard.ask(
        'reading tokens',
        async () => {
          const keys = buckets.map(({ key }) => key)
          // One command each, which go out together: in a Cluster they are of several slots.
          const texts = Promise.all(keys.map((key) => plain.get(key)))
          const [[seconds, micros], kept] = await Promise.all([plain.time(), texts])
          const now = Number(seconds) * 1e6 + Number(micros)
          return buckets.map((bucket, at) => tokensLeft(parseBucket(kept[at] ?? null), bucket, now))
        },
        () => buckets.map((bucket) => tokensLeft(undefined, bucket, 0)),
      )
    },
    async takeToken(key, perSecond) {
      assertRate(perSecond)
      return guard.ask(
        'taking a token',
        async () => {
          const [allowed, remaining, retryAfterMs, resetMs] = await scripts.takeToken(
            key,
            perSecond,
          )
          return { allowed: allowed === 1, remaining, retryAfterMs, resetMs }
        },
        () => fullBucket(perSecond),
      )
    },
    async takeTokens(key, { perSecond, wanted, backlog, priority }) {
      assertRate(perSecond)
      return guard.ask(
        'taking tokens',
        async () => {
          const answer = await scripts.takeTokens(key, perSecond, wanted, backlog, priority)
          const [granted, retryAfterMs, elsewhere] = answer
          return { granted, retryAfterMs, backlogElsewhere: elsewhere === 1 }
        },
        () => ({ granted: wanted, retryAfterMs: 0, backlogElsewhere: false }),
      )
    },
  }
}

function createRecentCounts(
  { scripts, names }: { scripts: ScriptClient; names: KeyNames },
  guard: Guard,
): Pick<StateStore, 'countRecent' | 'readRecent'> {
  const recentKey = (key: string): string => names.of(`recent:${key}`)
  return {
    async countRecent(counts) {
      if (counts.length === 0) return
      await guard.ask<unknown>(
        'counting',
        () =>
          names.inBatches(
            counts,
            ({ key }) => `recent:${key}`,
            async (some) => {
              const keys = some.map(({ key }) => recentKey(key))
              const times = some.map((one) => one.times)
              return [await scripts.addRecent(keys.length, ...keys, ...times)]
            },
          ),
        () => undefined,
      )
    },
    async readRecent(keys) {
      if (keys.length === 0) return []
      return await guard.ask<number[]>(
        'reading counts',
        async () => {
          const sums = await names.inBatches(
            keys,
            (key) => `recent:${key}`,
            (some) => scripts.sumRecent(some.length, ...some.map(recentKey)),
          )
          return [...sums]
        },
        () => keys.map(() => 0),
      )
    },
  }
}

function createGuesses(plain: PlainClient, scripts: ScriptClient, guard: Guard): GuessCounts {
  const alone = createInProcessGuesses({ nowMs: () => performance.now() })
  return {
    countGuess: (key, policy) =>
      guard.ask(
        'counting a guess',
        async () => {
          const { max, windowMs, lockMs } = policy
          const answer = await scripts.countGuess(guessKey(key), max, windowMs, lockMs)
          const [allowed, count, retryAfterMs] = answer
          return { allowed: allowed === 1, count, retryAfterMs }
        },
        () => alone.countGuess(key, policy),
      ),
    async forgetGuesses(key, which) {
      await alone.forgetGuesses(key, which)
      await guard.ask(
        'forgetting guesses',
        async () => {
          if (which === 'all') await plain.del(guessKey(key))
          else await plain.lpop(guessKey(key))
        },
        () => undefined,
      )
    },
  }
}

function guessKey(key: string): string {
  return `guesses:${key}`
}

type RedisCircuits = Pick<
  StateStore,
  'readCircuits' | 'passCircuit' | 'reportCircuit' | 'resetCircuit'
>

function createCircuits(
  { scripts, names }: { scripts: ScriptClient; names: KeyNames },
  guard: Guard,
): RedisCircuits {
  const circuitKey = (endpointId: string): string => names.of(`circuit:${endpointId}`)
  return {
    async readCircuits(ids) {
      if (ids.length === 0) return []
      return guard.ask(
        'reading circuits',
        async () => {
          const views = await names.inBatches(
            ids,
            (id) => `circuit:${id}`,
            async (some) => {
              const keys = some.map(circuitKey)
              const [now, ...texts] = await scripts.readCircuits(keys.length, ...keys)
              return texts.map((text) => viewCircuit(parseCircuit(text), now))
            },
          )
          return [...views]
        },
        () => ids.map(() => CLOSED),
      )
    },
    passCircuit: (id, leaseMs) =>
      guard.ask<CircuitPermit>(
        'passing a circuit',
        async () => {
          const [now, outcome, text] = await scripts.passCircuit(circuitKey(id), wholeMs(leaseMs))
          if (outcome !== 'wait') return { outcome }
          return { outcome, afterMs: viewCircuit(parseCircuit(text), now).waitMs }
        },
        () => ({ outcome: 'closed' }),
      ),
    reportCircuit: (id, report: CircuitReport, policy: CircuitPolicy) =>
      guard.ask(
        'reporting to a circuit',
        async () => {
          const [now, change, text, wasOpenedAt] = await scripts.reportCircuit(
            circuitKey(id),
            report.signal,
            report.isProbe ? 1 : 0,
            Math.floor(report.durationMs),
            policy.threshold,
            policy.resetMs,
          )
          const view = viewCircuit(parseCircuit(text), now)
          return { view, change: change === '' ? null : (change as CircuitChange), wasOpenedAt }
        },
        () => ({ view: CLOSED, change: null, wasOpenedAt: 0 }),
      ),
    resetCircuit: (id) =>
      guard.ask(
        'closing a circuit',
        async () => {
          const [now, text] = await scripts.resetCircuit(circuitKey(id))
          return viewCircuit(parseCircuit(text), now)
        },
        () => CLOSED,
      ),
  }
}

function fullBucket(perSecond: number): TokenAnswer {
  return { allowed: true, remaining: perSecond, retryAfterMs: 0, resetMs: 0 }
}

/** Redis refuses fractions and a time to live of 0. */
function wholeMs(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs))
}
