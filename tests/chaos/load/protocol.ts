/** What the run and its load process say to each other, and the endpoints that both know. */

/**
 * steady: answers 200. flaky: 500 until the fault has ended. hangs: no answer until then. dead: always 500, and two tries.
 * fifo: steady, in lanes. stuck: fifo and flaky. poll: fetched and acknowledged. direct: no endpoint, a URL of its own.
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
  /** Its path at the sink, and its event type. */
  name: string
  kind: TargetKind
  /** Of the endpoint; empty: direct. */
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
  /** From now on flaky and stuck endpoints and those that hang behave, or do not. */
  | { type: 'mood'; bad: boolean }
  | { type: 'phase'; phase: RoundPhase }
  | { type: 'stop-sending' }
  | { type: 'status' }
  /** They have ended in the store without having arrived. */
  | { type: 'dead'; ids: string[] }
  | { type: 'report' }
  | { type: 'end' }

export type RoundPhase = 'before' | 'fault' | 'after'

export interface LoadStatus {
  accepted: number
  /** Accepted and not arrived. */
  outstanding: string[]
  /** When one was last seen that had been waiting for longer than 2 s; ms since 1970. */
  lateAt: number
  /** The same by kind of target. */
  lateAtBy: [kind: string, at: number][]
  /** Requests without an answer yet. */
  open: number
}

export interface PhaseCounts {
  accepted: number
  unavailable: number
  /** 503 without `Retry-After`. */
  withoutRetryAfter: number
  /** Neither accepted nor 503 nor a repetition of what was: with the status and a text. */
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
  /** The longest times without an arrival at a steady endpoint, and without a 201, while sending. */
  arrivalGapMs: number
  acceptGapMs: number
  /** Within the phase of the fault alone: the longest that a post waited for its answer, or for none. */
  slowestAnswerMs: number
  /** Within that phase too. */
  faultAcceptGapMs: number
  /** For how long the load process itself did not run. */
  ownStallMs: number
  /** 201 to arrival, in ms, of steady ones. */
  p50: number
  p99: number
}
