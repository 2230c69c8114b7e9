/**
 * Shared state for `standalone`, where the only instance is this process. It is gone with the
 * process, like Redis's when Redis restarts. It is bounded: beyond its limits the oldest claims and
 * buckets are forgotten, which fails open.
 */
import {
  applyReport,
  type Circuit,
  circuitTtlMs,
  requestPermit,
  resetCircuit,
  viewCircuit,
} from '@posthorn/domain/circuit'
import { createExpiringMap, type ExpiringMap } from './expiring-map.ts'
import { createInProcessGuesses } from './in-process-guesses.ts'
import { tokensLeft } from './read-tokens.ts'
import { addRecent, type RecentBuckets, RECENT_TTL_MS, sumRecent } from './recent-counts.ts'
import { type RateBucket, rateBucketTtlMs, takeTokensFrom } from './rate-bucket.ts'
import type { StateStore } from './state-store.ts'
import { assertRate, takeTokenFrom, type TokenBucket } from './token-bucket.ts'

export interface InProcessStateConfig {
  maxClaims?: number
  maxBuckets?: number
}

/**
 * 6,500 deliveries a second for a lease of 10 s, of some 200 bytes each: 13 MB. A sweep of a large
 * backlog makes more, and then the oldest claims are forgotten. That does no harm: in this process
 * only another sweep makes a second copy of a delivery, under another token.
 */
const MAX_CLAIMS = 65_536
/**
 * A bucket expires a second after its last token: this many endpoints and keys within one second.
 */
const MAX_BUCKETS = 100_000

/** Only endpoints that fail have one: 200 bytes each. */
const MAX_CIRCUITS = 100_000

export function createInProcessState(
  config: InProcessStateConfig = {},
  deps: { nowMs(): number } = { nowMs: () => performance.now() },
): StateStore {
  const claims = createExpiringMap<true>({ maxEntries: config.maxClaims ?? MAX_CLAIMS }, deps)
  const buckets = createExpiringMap<TokenBucket>(
    { maxEntries: config.maxBuckets ?? MAX_BUCKETS },
    deps,
  )
  const rates = createExpiringMap<RateBucket>({ maxEntries: MAX_BUCKETS }, deps)
  const recent = createExpiringMap<RecentBuckets>({ maxEntries: MAX_BUCKETS }, deps)
  return {
    ...createCircuits(deps),
    ...createInProcessGuesses(deps),
    async countRecent(counts) {
      for (const { key, times } of counts) {
        const buckets = addRecent(recent.get(key) ?? new Map(), times, deps.nowMs())
        recent.set(key, buckets, RECENT_TTL_MS)
      }
    },
    readRecent: async (keys) =>
      keys.map((key) => sumRecent(recent.get(key) ?? new Map(), deps.nowMs())),
    async takeTokens(key, wanted) {
      assertRate(wanted.perSecond)
      const nowMicros = Math.floor(deps.nowMs() * 1000)
      const { bucket, answer } = takeTokensFrom(rates.get(key), wanted, nowMicros)
      rates.set(key, bucket, rateBucketTtlMs(bucket, wanted.perSecond))
      return answer
    },
    async readTokens(wanted) {
      const nowMicros = Math.floor(deps.nowMs() * 1000)
      return wanted.map((bucket) => {
        const kept = bucket.of === 'requests' ? buckets.get(bucket.key) : rates.get(bucket.key)
        return tokensLeft(kept, bucket, nowMicros)
      })
    },
    async claim(wanted) {
      return wanted.map(({ key, ttlMs }) => {
        if (claims.get(key)) return false
        claims.set(key, true, ttlMs)
        return true
      })
    },
    async renew(owned) {
      for (const { key, ttlMs } of owned) if (claims.get(key)) claims.set(key, true, ttlMs)
    },
    async takeToken(key, perSecond) {
      assertRate(perSecond)
      const nowMicros = Math.floor(deps.nowMs() * 1000)
      const { bucket, answer } = takeTokenFrom(buckets.get(key), perSecond, nowMicros)
      if (answer.allowed) buckets.set(key, bucket, answer.resetMs)
      return answer
    },
    check: async () => ({ ok: true, detail: 'in process' }),
    close: async () => undefined,
  }
}

type MemoryCircuits = Pick<
  StateStore,
  'readCircuits' | 'passCircuit' | 'reportCircuit' | 'resetCircuit'
>

function createCircuits(deps: { nowMs(): number }): MemoryCircuits {
  const circuits: ExpiringMap<Circuit> = createExpiringMap({ maxEntries: MAX_CIRCUITS }, deps)
  // In ms since 1970, so that the time of an opening identifies it beyond this process.
  const now = (): number => Math.floor(performance.timeOrigin + deps.nowMs())

  function keep(id: string, circuit: Circuit | undefined, at: number): void {
    if (circuit === undefined) circuits.delete(id)
    else circuits.set(id, circuit, circuitTtlMs(circuit, at))
  }

  return {
    readCircuits: async (ids) => ids.map((id) => viewCircuit(circuits.get(id), now())),
    async passCircuit(id, leaseMs) {
      const at = now()
      const { circuit, permit } = requestPermit(circuits.get(id), leaseMs, at)
      if (permit.outcome === 'probe') keep(id, circuit, at)
      return permit
    },
    async reportCircuit(id, report, policy) {
      const at = now()
      const before = circuits.get(id)
      const { circuit, change } = applyReport(before, report, policy, at)
      if (circuit !== before) keep(id, circuit, at)
      return { view: viewCircuit(circuit, at), change, wasOpenedAt: before?.openedAt ?? 0 }
    },
    async resetCircuit(id) {
      const at = now()
      const before = viewCircuit(circuits.get(id), at)
      keep(id, resetCircuit(at), at)
      return before
    },
  }
}
