/**
 * Shared state in Redis. It fails open: while Redis is away or slow, every token is given, guesses
 * are counted in this process, no claim is decided, and callers learn of it only through `onError`,
 * `check` and a claim's null. No call waits for Redis longer than one command's timeout.
 *
 * A claim does not know its owner: only its owner may renew it.
 */
import { within } from '@posthorn/async/within'
import {
  CLOSED,
  type CircuitChange,
  type CircuitPolicy,
  type CircuitReport,
  type CircuitPermit,
  viewCircuit,
} from '@posthorn/domain/circuit'
import { Redis, type RedisOptions } from 'ioredis'
import {
  PASS_CIRCUIT_SCRIPT,
  parseCircuit,
  READ_CIRCUITS_SCRIPT,
  REPORT_CIRCUIT_SCRIPT,
  RESET_CIRCUIT_SCRIPT,
} from './circuit-scripts.ts'
import { CLAIM_SCRIPT } from './claim-script.ts'
import { COUNT_GUESS_SCRIPT } from './guesses.ts'
import { createInProcessGuesses, type GuessCounts } from './in-process-guesses.ts'
import { parseBucket, tokensLeft } from './read-tokens.ts'
import { TAKE_TOKENS_SCRIPT } from './rate-bucket.ts'
import { ADD_RECENT_SCRIPT, SUM_RECENT_SCRIPT } from './recent-counts.ts'
import { COMMAND_TIMEOUT_MS, createGuard, type Guard, type RedisStateDeps } from './redis-guard.ts'
import type { Claim, StateStore, TokenAnswer } from './state-store.ts'
import { TOKEN_BUCKET_SCRIPT } from './token-bucket-script.ts'
import { assertRate } from './token-bucket.ts'

export interface RedisStateConfig {
  url: string
  /** A prefix of every key, so that several installations or tests can share a Redis. */
  prefix?: string
}

const MAX_RECONNECT_DELAY_MS = 500
/** How long the start waits for Redis; the process starts without it all the same. */
const FIRST_CONNECT_MS = 1_000

const OPTIONS: RedisOptions = {
  // A command that finds no connection fails at once instead of waiting for one.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  // A claim that Redis granted before the connection broke would, if it were sent again, find
  // itself taken, by nobody.
  autoResendUnfulfilledCommands: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: 2_000,
  retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS),
}

interface ScriptClient extends Redis {
  claimAll(count: number, ...keysAndTtls: (string | number)[]): Promise<(0 | 1)[]>
  takeToken(key: string, perSecond: number): Promise<[number, number, number, number, number]>
  takeTokens(
    key: string,
    perSecond: number,
    wanted: number,
    backlog: string,
    priority: number,
  ): Promise<[number, number, number, number]>
  addRecent(count: number, ...keysAndTimes: (string | number)[]): Promise<number>
  sumRecent(count: number, ...keys: string[]): Promise<number[]>
  countGuess(
    key: string,
    max: number,
    windowMs: number,
    lockMs: number,
  ): Promise<[number, number, number, number]>
  readCircuits(count: number, ...keys: string[]): Promise<[number, ...string[]]>
  passCircuit(key: string, leaseMs: number): Promise<[number, CircuitPermit['outcome'], string]>
  reportCircuit(
    key: string,
    signal: string,
    isProbe: number,
    lastedMs: number,
    threshold: number,
    resetMs: number,
  ): Promise<[number, string, string, number]>
  resetCircuit(key: string): Promise<[number, string]>
}

const SCRIPTS = {
  claimAll: { lua: CLAIM_SCRIPT },
  takeToken: { lua: TOKEN_BUCKET_SCRIPT, numberOfKeys: 1 },
  takeTokens: { lua: TAKE_TOKENS_SCRIPT, numberOfKeys: 1 },
  addRecent: { lua: ADD_RECENT_SCRIPT },
  sumRecent: { lua: SUM_RECENT_SCRIPT },
  countGuess: { lua: COUNT_GUESS_SCRIPT, numberOfKeys: 1 },
  readCircuits: { lua: READ_CIRCUITS_SCRIPT },
  passCircuit: { lua: PASS_CIRCUIT_SCRIPT, numberOfKeys: 1 },
  reportCircuit: { lua: REPORT_CIRCUIT_SCRIPT, numberOfKeys: 1 },
  resetCircuit: { lua: RESET_CIRCUIT_SCRIPT, numberOfKeys: 1 },
}

export async function createRedisState(
  config: RedisStateConfig,
  deps: RedisStateDeps,
): Promise<StateStore> {
  const options = { ...OPTIONS, keyPrefix: config.prefix ?? '' }
  // Pipelining by itself makes plain commands two thirds faster and scripts two fifths slower:
  // hence two clients.
  const plain = new Redis(config.url, { ...options, enableAutoPipelining: true })
  const scripts = new Redis(config.url, {
    ...options,
    scripts: SCRIPTS,
  }) as ScriptClient
  const guard = createGuard(deps)
  for (const client of [plain, scripts]) {
    client.on('error', (error) => guard.failed(error, 'connecting to Redis'))
  }
  await Promise.all([plain, scripts].map((client) => firstConnection(client)))

  return {
    ...createClaims(plain, scripts, guard),
    ...createLimits(plain, scripts, guard),
    ...createRecentCounts(scripts, guard),
    ...createGuesses(plain, scripts, guard),
    ...createCircuits(scripts, guard),
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
  plain: Redis,
  scripts: ScriptClient,
  guard: Guard,
): Pick<StateStore, 'claim' | 'renew'> {
  return {
    async claim(claims) {
      if (claims.length === 0) return []
      return guard.ask<(boolean | null)[]>(
        'claiming',
        async () => {
          const keys = claims.map(({ key }) => key)
          const ttls = claims.map(({ ttlMs }) => wholeMs(ttlMs))
          const answers = await scripts.claimAll(keys.length, ...keys, ...ttls)
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
            async () => void (await plain.pexpire(key, wholeMs(ttlMs))),
            () => undefined,
          ),
        ),
      )
    },
  }
}

function createLimits(
  plain: Redis,
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
          const [[seconds, micros], texts] = await Promise.all([plain.time(), plain.mget(keys)])
          const now = Number(seconds) * 1e6 + Number(micros)
          return buckets.map((bucket, at) =>
            tokensLeft(parseBucket(texts[at] ?? null), bucket, now),
          )
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
  scripts: ScriptClient,
  guard: Guard,
): Pick<StateStore, 'countRecent' | 'readRecent'> {
  return {
    async countRecent(counts) {
      if (counts.length === 0) return
      const keys = counts.map(({ key }) => recentKey(key))
      const times = counts.map((one) => one.times)
      await guard.ask<unknown>(
        'counting',
        () => scripts.addRecent(keys.length, ...keys, ...times),
        () => undefined,
      )
    },
    async readRecent(keys) {
      if (keys.length === 0) return []
      return await guard.ask(
        'reading counts',
        () => scripts.sumRecent(keys.length, ...keys.map(recentKey)),
        () => keys.map(() => 0),
      )
    },
  }
}

function recentKey(key: string): string {
  return `recent:${key}`
}

function createGuesses(plain: Redis, scripts: ScriptClient, guard: Guard): GuessCounts {
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

function createCircuits(scripts: ScriptClient, guard: Guard): RedisCircuits {
  return {
    async readCircuits(ids) {
      if (ids.length === 0) return []
      return guard.ask(
        'reading circuits',
        async () => {
          const [now, ...texts] = await scripts.readCircuits(ids.length, ...ids.map(circuitKey))
          return texts.map((text) => viewCircuit(parseCircuit(text), now))
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

function circuitKey(endpointId: string): string {
  return `circuit:${endpointId}`
}

function fullBucket(perSecond: number): TokenAnswer {
  return { allowed: true, remaining: perSecond, retryAfterMs: 0, resetMs: 0 }
}

/** Redis refuses fractions and a time to live of 0. */
function wholeMs(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs))
}

async function firstConnection(client: Redis): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  await within(FIRST_CONNECT_MS, promise)
  client.off('ready', resolve)
}
