/**
 * The circuit breaker of an endpoint: `circuitThreshold` failed attempts in a row open it. After
 * `circuitResetMs` one attempt, the probe, goes out and decides whether it closes. Pure: the
 * in-process state store calls this, and the Redis scripts of `libs/state/src/circuit-scripts.ts`
 * repeat it operation by operation.
 *
 * Attempts that were already under way when the circuit opened no longer change it: only the probe
 * does. A probe that never comes back blocks other attempts for its lease and no longer.
 */
import type { ErrorCategory } from './classify-attempt.ts'

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const
export type CircuitState = (typeof CIRCUIT_STATES)[number]

/**
 * A circuit as the store keeps it. A closed circuit without failures is not kept. Times are ms of
 * any one clock.
 */
export interface Circuit {
  /** Failures in a row, counted up to the threshold. */
  failures: number
  /** When it opened; 0: it is closed. Reopening after a failed probe does not change it. */
  openedAt: number
  /** Nothing goes out until then. */
  openUntil: number
  /** The probe's lease ends then; 0: there is no probe. */
  probeUntil: number
  /** When it closed. Failures of attempts that began before do not count. 0: it was never open. */
  closedAt: number
}

export interface CircuitPolicy {
  threshold: number
  resetMs: number
}

/** An attempt that has ended. */
export interface CircuitReport {
  signal: HealthSignal
  isProbe: boolean
  /** How long the attempt lasted. A duration is sent because clocks of machines differ. */
  durationMs: number
}

/**
 * What an attempt says about its endpoint. `nothing`: it failed for a reason of our own, or nothing
 * was sent.
 */
export type HealthSignal = 'success' | 'failure' | 'nothing'

export interface CircuitView {
  state: CircuitState
  failures: number
  /** Until a probe may go; 0 while it is closed, and when a probe may go now. */
  waitMs: number
  openedAt: number
}

export type CircuitChange = 'opened' | 'reopened' | 'closed' | null

export interface ReportedCircuit {
  view: CircuitView
  /**
   * Given to exactly one of the reports of a change, so that one operational event is made of it.
   */
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

/** Failures of our own or before anything reached the endpoint: they say nothing about it. */
const NOT_THE_ENDPOINTS_FAULT: readonly ErrorCategory[] = ['internal', 'blocked', 'transformation']
const COUNTED_4XX = [408, 429]

/**
 * A 4xx other than 408 and 429 is an answer: the endpoint is up and has looked at the request. It
 * is not a failure, and like a success it ends a row of failures.
 * @param category null: delivered
 */
export function healthSignal(category: ErrorCategory | null, statusCode: number): HealthSignal {
  if (category === null) return 'success'
  if (NOT_THE_ENDPOINTS_FAULT.includes(category)) return 'nothing'
  if (category === 'http_4xx' && !COUNTED_4XX.includes(statusCode)) return 'success'
  return 'failure'
}

const DAY_MS = 86_400_000
/** The longest back-off: a row of failures can take that long. */
const FAILURES_TTL_MS = 7 * DAY_MS
/** Twice the longest attempt. */
const CLOSED_TTL_MS = 120_000

/** How long a store keeps the circuit. After that it counts as closed without failures. */
export function circuitTtlMs({ failures, openUntil }: Circuit, now: number): number {
  return failures === 0 ? CLOSED_TTL_MS : Math.max(0, openUntil - now) + FAILURES_TTL_MS
}

/**
 * A circuit that was reset by a resume or by a change of the destination. Attempts under way do not
 * count against it.
 */
export function resetCircuit(now: number): Circuit {
  return { ...NEW, closedAt: now }
}

/** The state is `half_open` from the moment when a probe may go. */
export function viewCircuit(circuit: Circuit | undefined, now: number): CircuitView {
  if (circuit === undefined) return CLOSED
  const { failures, openedAt } = circuit
  if (openedAt === 0) return { ...CLOSED, failures }
  const until = Math.max(circuit.openUntil, circuit.probeUntil)
  const state = now < circuit.openUntil ? 'open' : 'half_open'
  return { state, failures, waitMs: Math.max(0, until - now), openedAt }
}

/**
 * Asks for permission to send while the circuit is not closed: one caller gets it, for as long as
 * its lease lasts.
 */
export function requestPermit(
  circuit: Circuit | undefined,
  leaseMs: number,
  now: number,
): { circuit: Circuit | undefined; permit: CircuitPermit } {
  const view = viewCircuit(circuit, now)
  if (circuit === undefined || view.state === 'closed') {
    return { circuit, permit: { outcome: 'closed' } }
  }
  if (view.waitMs > 0) return { circuit, permit: { outcome: 'wait', afterMs: view.waitMs } }
  return { circuit: { ...circuit, probeUntil: now + leaseMs }, permit: { outcome: 'probe' } }
}

/** @returns the circuit to keep; undefined: none */
export function applyReport(
  circuit: Circuit | undefined,
  { signal, isProbe, durationMs }: CircuitReport,
  policy: CircuitPolicy,
  now: number,
): { circuit: Circuit | undefined; change: CircuitChange } {
  const { failures, openedAt, closedAt } = circuit ?? NEW
  if (circuit !== undefined && openedAt > 0) {
    if (!isProbe) return { circuit, change: null }
    if (signal === 'success') return { circuit: resetCircuit(now), change: 'closed' }
    if (signal === 'nothing') return { circuit: { ...circuit, probeUntil: 0 }, change: null }
    return {
      circuit: { ...circuit, openUntil: now + policy.resetMs, probeUntil: 0 },
      change: 'reopened',
    }
  }
  if (signal === 'success' && failures > 0) {
    return { circuit: closedAt > 0 ? { ...NEW, closedAt } : undefined, change: null }
  }
  if (signal !== 'failure' || now - durationMs < closedAt) return { circuit, change: null }
  if (failures + 1 < policy.threshold) {
    return { circuit: { ...NEW, failures: failures + 1, closedAt }, change: null }
  }
  const openUntil = now + policy.resetMs
  return { circuit: { ...NEW, failures: failures + 1, openedAt: now, openUntil }, change: 'opened' }
}
