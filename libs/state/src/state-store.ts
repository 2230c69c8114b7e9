/**
 * Short-lived state that several instances share, in two implementations that pass one suite:
 * Redis, and in-process for `standalone`. It is never the truth: all of it may vanish at any
 * moment. Limits then fail open by choice: one may be exceeded, and delivery goes on. Whether a
 * claim was granted is left to the caller to find out then.
 */
import type {
  CircuitPolicy,
  CircuitReport,
  CircuitView,
  CircuitPermit,
  ReportedCircuit,
} from '@posthorn/domain/circuit'
import type { GuessAnswer, GuessPolicy } from './guesses.ts'
import type { TokensGranted, TokensWanted } from './rate-bucket.ts'

export interface StateStore {
  /**
   * Takes each key for the first that asks. @returns true where that is this call. A claim ends by
   * itself after its `ttlMs`. Unreachable store: null, for it is unknown whether the claim was
   * made.
   */
  claim(claims: readonly Claim[]): Promise<(boolean | null)[]>
  /** Extends claims that the caller owns. Best effort. */
  renew(claims: readonly Claim[]): Promise<void>
  /**
   * Takes one token from a bucket that holds `perSecond` and refills at that rate. Unreachable
   * store: allowed, and `remaining` equals the limit.
   */
  takeToken(key: string, perSecond: number): Promise<TokenAnswer>
  /**
   * Takes as many as there are of the tokens wanted (`rate-bucket.ts`). Unreachable store: all of
   * them.
   */
  takeTokens(key: string, wanted: TokensWanted): Promise<TokensGranted>
  /**
   * How many tokens there are, in the order of the buckets, without taking any. Unreachable store:
   * all are full.
   */
  readTokens(buckets: readonly ReadBucket[]): Promise<TokensLeft[]>
  /** Counts what happened, each key so often. Best effort. */
  countRecent(counts: readonly RecentCount[]): Promise<void>
  /**
   * How often it did in the last minute, to five seconds, in the order of the keys. Unreachable
   * store: never.
   */
  readRecent(keys: readonly string[]): Promise<number[]>
  /**
   * Counts a guess at the secret `key` before it is known to be right (`guesses.ts`). Unreachable
   * store: this process counts by itself.
   */
  countGuess(key: string, policy: GuessPolicy): Promise<GuessAnswer>
  /** `newest`: a guess that was right does not count. `all`: unlocks the secret. Best effort. */
  forgetGuesses(key: string, which: 'newest' | 'all'): Promise<void>
  /**
   * The state of these endpoints' circuits, in their order (`domain/circuit.ts`). Unreachable
   * store: all closed.
   */
  readCircuits(endpointIds: readonly string[]): Promise<CircuitView[]>
  /**
   * Asks to send to an endpoint whose circuit is not closed. Whoever is told `probe` is the only
   * one, until it reports or `leaseMs` have passed. Unreachable store: closed.
   */
  passCircuit(endpointId: string, leaseMs: number): Promise<CircuitPermit>
  /** Reports how an attempt ended. Unreachable store: closed, no change. */
  reportCircuit(
    endpointId: string,
    report: CircuitReport,
    policy: CircuitPolicy,
  ): Promise<ReportedCircuit>
  /**
   * Closes a circuit by hand.
   * @returns its former state; closed when the store is unreachable
   */
  resetCircuit(endpointId: string): Promise<CircuitView>
  /** For `/health`. */
  check(): Promise<{ ok: boolean; detail: string }>
  close(): Promise<void>
}

export interface RecentCount {
  key: string
  times: number
}

export interface ReadBucket {
  key: string
  perSecond: number
  /** `requests`: of `takeToken`; `deliveries`: of `takeTokens`. */
  of: 'requests' | 'deliveries'
}

export interface TokensLeft {
  /** Whole ones. */
  tokens: number
  /** Until the bucket is full again. */
  resetMs: number
}

export interface Claim {
  key: string
  ttlMs: number
}

export interface TokenAnswer {
  allowed: boolean
  /** Whole tokens left after this one. */
  remaining: number
  /** Until the next token, 0 when allowed. */
  retryAfterMs: number
  /** Until the bucket is full again. */
  resetMs: number
}
