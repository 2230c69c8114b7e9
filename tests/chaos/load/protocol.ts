/** The messages between the run and its load process, and the endpoints that both know. */

/**
 * How a target behaves. steady: answers 200. flaky: answers 500 until the fault has ended. hangs:
 * does not answer until then. dead: always answers 500, and has two attempts. fifo: steady, in
 * lanes. stuck: fifo and flaky. poll: fetched and acknowledged. direct: no endpoint, a URL of its
 * own.
 */
export type TargetKind =
  | 'steady'
  | 'flaky'
  | 'hangs'
  | 'dead'
  | 'fifo'
  | 'stuck'
  | 'poll'
  | 'direct'

export interface Target {
  /** Its path at the sink, and the type of its events. */
  name: string
  kind: TargetKind
  /** The endpoint's id; empty when direct. */
  id: string
  url: string
  lanes: number
}

export interface BeginCommand {
  type: 'begin'
  round: string
  url: string
  apiKey: string
  targets: Target[]
  perSecond: number
}

export type LoadCommand =
  | BeginCommand
  /** From now on flaky, stuck and hanging endpoints misbehave, or behave well. */
  | { type: 'misbehave'; on: boolean }
  | { type: 'phase'; phase: RoundPhase }
  | { type: 'stop-sending' }
  | { type: 'status' }
  /** These events have ended as dead without having arrived. */
  | { type: 'dead'; ids: string[] }
  | { type: 'report' }
  | { type: 'end' }

export type RoundPhase = 'before' | 'fault' | 'after'

export interface LoadStatus {
  accepted: number
  /** Events that were accepted and have not arrived. */
  outstanding: string[]
  /** When an event that had waited for over 2 s was last seen, in ms since 1970. */
  lateAt: number
  /** The same for each kind of target. */
  lateAtBy: [kind: string, at: number][]
  /** Requests that have no answer yet. */
  open: number
}

export interface PhaseCounts {
  accepted: number
  unavailable: number
  /** Answers 503 without `Retry-After`. */
  withoutRetryAfter: number
  /** Answers that are neither 201, nor 503, nor a duplicate: their status and text. */
  unexpected: string[]
  noAnswer: number
}

export interface Repeat {
  target: string
  id: string
  succeededAt: number
  at: number
}

export interface LoadReport {
  accepted: string[]
  phases: Record<RoundPhase, PhaseCounts>
  arrivals: number
  repeats: Repeat[]
  outOfOrder: string[]
  /**
   * The longest times without an arrival at a steady endpoint, and without a 201, while sending.
   */
  arrivalGapMs: number
  acceptGapMs: number
  /** The longest that a post waited for its answer, or in vain, within the phase of the fault. */
  slowestAnswerMs: number
  /** The longest time without a 201 within that phase. */
  faultAcceptGapMs: number
  /** How long the load process itself was stalled. */
  ownStallMs: number
  /** From the 201 to the arrival at a steady endpoint, in ms. */
  p50: number
  p99: number
}
