/**
 * The circuit of an endpoint: `circuitThreshold` failed tries in a row open it, and after `circuitResetMs` one try, the
 * probe, goes out and decides whether it closes. Pure: the in-process state store calls this, the Redis script of
 * `libs/state/src/circuit-scripts.ts` repeats it operation by operation.
 *
 * A try that was already under way when the circuit opened says nothing about it any more: only the probe does. A probe
 * that never comes back holds others off for its lease and no longer.
 */
import type { ErrorCategory } from './classify-attempt.ts'

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const
export type CircuitState = (typeof CIRCUIT_STATES)[number]

/** As it is kept; one of which there is nothing to tell is not kept at all. Times are ms of any one clock. */
export interface Circuit {
  /** In a row, as far as they were counted: up to the threshold. */
  failures: number
  /** When it opened; 0: it is closed. An opening after a failed probe does not change it. */
  openedAt: number
  /** Until then nothing goes out. */
  openUntil: number
  /** Until then the probe has its chance; 0: there is none. */
  probeUntil: number
  /** When it closed; what failed since, but began before, does not count. 0: it has not been open. */
  closedAt: number
}

export interface CircuitPolicy {
  threshold: number
  resetMs: number
}

/** A try that has ended. */
export interface CircuitReport {
  signal: HealthSignal
  isProbe: boolean
  /** For how long the try lasted: clocks differ, durations hardly. */
  durationMs: number
}

/** What a try tells of its endpoint. `nothing`: our own fault, or nothing was sent. */
export type HealthSignal = 'success' | 'failure' | 'nothing'

export interface CircuitView {
  state: CircuitState
  failures: number
  /** Until a probe may go; 0 while closed, and when it may go now. */
  waitMs: number
  openedAt: number
}

export type CircuitChange = 'opened' | 'reopened' | 'closed' | null

export interface ReportedCircuit {
  view: CircuitView
  /** To exactly one of those who report: for a notice about it. */
  change: CircuitChange
  /** When it had opened before this report; 0: it was closed. */
  wasOpenedAt: number
}

export type CircuitPermit =
  | { outcome: 'closed' }
  | { outcome: 'probe' }
  | { outcome: 'wait'; afterMs: number }

const NEW: Circuit = { failures: 0, openedAt: 0, openUntil: 0, probeUntil: 0, closedAt: 0 }

export const CLOSED: CircuitView = { state: 'closed', failures: 0, waitMs: 0, openedAt: 0 }

/** Of ours, or nobody's: nothing of the endpoint was seen. */
const NOT_THE_ENDPOINTS: readonly ErrorCategory[] = ['internal', 'blocked', 'transformation']
const TELLS_OF_TROUBLE = [408, 429]

/**
 * A 4xx other than 408 and 429 is an answer: somebody is there and has judged the request. It is no failure, and it
 * ends a row of failures like a success.
 * @param category null: delivered
 */
export function healthSignal(category: ErrorCategory | null, statusCode: number): HealthSignal {
  if (category === null) return 'success'
  if (NOT_THE_ENDPOINTS.includes(category)) return 'nothing'
  if (category === 'http_4xx' && !TELLS_OF_TROUBLE.includes(statusCode)) return 'success'
  return 'failure'
}

const DAY_MS = 86_400_000
/** As long as the longest back-off: so long a row of failures can be. */
const REMEMBERED_MS = 7 * DAY_MS
/** Twice the longest try. */
const CLOSED_REMEMBERED_MS = 120_000

/** For how long a store keeps it; then it is as if it had never been. */
export function circuitTtlMs({ failures, openUntil }: Circuit, now: number): number {
  return failures === 0 ? CLOSED_REMEMBERED_MS : Math.max(0, openUntil - now) + REMEMBERED_MS
}

/** By hand: a resume, or another destination. What is under way does not count against it. */
export function resetCircuit(now: number): Circuit {
  return { ...NEW, closedAt: now }
}

/** `half_open` from the moment in which a probe may go. */
export function viewCircuit(circuit: Circuit | undefined, now: number): CircuitView {
  if (circuit === undefined) return CLOSED
  const { failures, openedAt } = circuit
  if (openedAt === 0) return { ...CLOSED, failures }
  const until = Math.max(circuit.openUntil, circuit.probeUntil)
  const state = now < circuit.openUntil ? 'open' : 'half_open'
  return { state, failures, waitMs: Math.max(0, until - now), openedAt }
}

/** Asks to send something while the circuit is not closed: exactly one may, for as long as its lease lasts. */
export function requestPermit(
  circuit: Circuit | undefined,
  leaseMs: number,
  now: number,
): { circuit: Circuit | undefined; passage: CircuitPermit } {
  const view = viewCircuit(circuit, now)
  if (circuit === undefined || view.state === 'closed') {
    return { circuit, passage: { outcome: 'closed' } }
  }
  if (view.waitMs > 0) return { circuit, passage: { outcome: 'wait', afterMs: view.waitMs } }
  return { circuit: { ...circuit, probeUntil: now + leaseMs }, passage: { outcome: 'probe' } }
}

/** @returns undefined: nothing is to be kept */
export function applyReport(
  circuit: Circuit | undefined,
  { signal: sign, isProbe, durationMs: lastedMs }: CircuitReport,
  policy: CircuitPolicy,
  now: number,
): { circuit: Circuit | undefined; change: CircuitChange } {
  const { failures, openedAt, closedAt } = circuit ?? NEW
  if (circuit !== undefined && openedAt > 0) {
    if (!isProbe) return { circuit, change: null }
    if (sign === 'success') return { circuit: resetCircuit(now), change: 'closed' }
    if (sign === 'nothing') return { circuit: { ...circuit, probeUntil: 0 }, change: null }
    return {
      circuit: { ...circuit, openUntil: now + policy.resetMs, probeUntil: 0 },
      change: 'reopened',
    }
  }
  if (sign === 'success' && failures > 0) {
    return { circuit: closedAt > 0 ? { ...NEW, closedAt } : undefined, change: null }
  }
  if (sign !== 'failure' || now - lastedMs < closedAt) return { circuit, change: null }
  if (failures + 1 < policy.threshold) {
    return { circuit: { ...NEW, failures: failures + 1, closedAt }, change: null }
  }
  const openUntil = now + policy.resetMs
  return { circuit: { ...NEW, failures: failures + 1, openedAt: now, openUntil }, change: 'opened' }
}
