/** Evaluates a round from what was observed. Pure. */
import type { Fault } from './faults/fault.ts'
import type { LoadReport } from './load/protocol.ts'

export interface RoundObservations {
  report: LoadReport
  /** Ids that were accepted and have neither arrived nor are dead with a reason in the store. */
  lost: readonly string[]
  faultAt: number
  faultEndAt: number
  /** When an event that had waited for over 2 s was last seen. */
  lateAt: number
  storeProblems: readonly string[]
  watchProblems: readonly string[]
  memoryMb: Readonly<Record<string, number>>
  /** Postgres neither answered nor refused. */
  isPostgresSilent: boolean
  /** Within this time another process had to take over, and to accept events. */
  takeoverMs?: number | undefined
}

export interface RoundResult {
  number: number
  faults: string
  detail: string
  mode: string
  form: string
  perSecond: number
  seed: number
  accepted: number
  /** Posts that had to be repeated, because they were answered 503 or not at all. */
  refused: number
  lost: number
  repeated: number
  outOfOrder: number
  acceptGapMs: number
  arrivalGapMs: number
  healMs: number
  slowestAnswerMs: number
  /** How long each kind of target took to heal. */
  healMsBy: Record<string, number>
  memoryMb: number
  problems: string[]
}

/**
 * An attempt in flight at the fault may have succeeded this long before it, because results are
 * recorded in batches.
 */
const BEFORE_FAULT_MS = 5_000
const HEAL_MS = 30_000
/** A sender hardly notices that Redis or Kafka is gone. */
const ACCEPT_GAP_MS = 5_000
const MEMORY_MB = 400
/**
 * A silent Postgres is given up after 4 s, and a post that came meanwhile is answered after those
 * before it. The sender gives up after 10 s.
 */
const ANSWER_MS = 8_000
const SHOWN = 3

/**
 * @param timed false: the machine has other work, so only what does not depend on its speed is
 * evaluated
 */
export function evaluateRound(
  faults: readonly Fault[],
  observations: RoundObservations,
  timed: boolean,
): string[] {
  const { report, lost, faultAt, faultEndAt, lateAt } = observations
  const problems = [...observations.storeProblems, ...observations.watchProblems]
  const some = (what: string, items: readonly string[]): void => {
    if (items.length > 0)
      problems.push(`${items.length} ${what}: ${items.slice(0, SHOWN).join('; ')}`)
  }
  some('lost', lost)
  some('out of order', report.outOfOrder)
  const healMs = lateAt - faultEndAt
  if (timed && healMs > HEAL_MS)
    problems.push(`caught up only ${Math.round(healMs / 1_000)} s after the fault`)
  const last = Math.max(lateAt, faultEndAt) + BEFORE_FAULT_MS
  const strange = report.repeats.filter(
    ({ succeededAt }) => succeededAt < faultAt - BEFORE_FAULT_MS || succeededAt > last,
  )
  some(
    'repeated that were not in flight at the fault',
    strange.map(({ target, id, succeededAt, at }) => {
      const seconds = (ms: number): string => `${((ms - faultAt) / 1_000).toFixed(1)} s`
      return `${target} ${id} at ${seconds(succeededAt)} and ${seconds(at)} of the fault`
    }),
  )
  problems.push(...evaluateAccepting(faults, report, timed))
  if (observations.isPostgresSilent && timed) problems.push(...evaluateAnswers(report))
  const { takeoverMs } = observations
  if (timed && takeoverMs !== undefined && report.acceptGapMs > takeoverMs)
    problems.push(`nothing accepted for ${report.acceptGapMs} ms: another had to take over`)
  for (const [name, megabytes] of Object.entries(observations.memoryMb))
    if (megabytes > MEMORY_MB) problems.push(`${name} took ${megabytes} MB`)
  return problems
}

function evaluateAnswers({ phases, slowestAnswerMs }: LoadReport): string[] {
  const { noAnswer } = phases.fault
  const problems: string[] = []
  if (noAnswer > 0) problems.push(`${noAnswer} posts had no answer while Postgres was silent`)
  if (slowestAnswerMs > ANSWER_MS)
    problems.push(`a post waited ${slowestAnswerMs} ms for its answer`)
  return problems
}

function evaluateAccepting(
  faults: readonly Fault[],
  { phases, faultAcceptGapMs }: LoadReport,
  timed: boolean,
): string[] {
  const problems: string[] = []
  for (const [phase, counts] of Object.entries(phases)) {
    if (counts.withoutRetryAfter > 0)
      problems.push(`${counts.withoutRetryAfter} times 503 without Retry-After (${phase})`)
    if (counts.unexpected.length > 0)
      problems.push(
        `unexpected answers (${phase}): ${counts.unexpected.slice(0, SHOWN).join('; ')}`,
      )
  }
  const { fault } = phases
  if (faults.some(({ accepting }) => accepting === 'no')) {
    if (fault.accepted > 0) problems.push(`${fault.accepted} answered 201 while Postgres was gone`)
    if (faults.length === 1 && fault.unavailable === 0)
      problems.push('none answered 503 while Postgres was gone')
  } else if (timed && faults.every(({ accepting }) => accepting === 'yes')) {
    if (fault.unavailable + fault.noAnswer > 0)
      problems.push(
        `${fault.unavailable} answered 503 and ${fault.noAnswer} not at all during the fault`,
      )
    if (faultAcceptGapMs > ACCEPT_GAP_MS)
      problems.push(`nothing accepted for ${faultAcceptGapMs} ms during the fault`)
  }
  return problems
}
