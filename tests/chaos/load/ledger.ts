/**
 * The ledger of what was accepted and what arrived. The process that posts and receives keeps it,
 * so that neither the run's own work nor the death of a store shows as a gap. Time is an argument.
 */
import type { RoundPhase, PhaseCounts, Repeat, LoadReport, LoadStatus, Target } from './protocol.ts'

export interface SentEvent {
  target: Target
  lane: number
  n: number
}

interface Arrival extends SentEvent {
  firstAt: number
  /** The order among all arrivals and successes, for which the clock is too coarse. */
  firstOrder: number
  succeededAt: number | null
  succeededOrder: number
}

/** An event that has waited for longer counts as late. */
const LATE_MS = 2_000
/** An event that was committed just before a fault may still be answered 201. */
const ANSWER_GRACE_MS = 1_000

/** What posts were answered, phase by phase, and the gaps between the answers 201. */
function createAnswerCounts() {
  const phases: Record<RoundPhase, PhaseCounts> = {
    before: noCounts(),
    fault: noCounts(),
    after: noCounts(),
  }
  const gaps = { accept: createGap(), faultAccept: createGap() }
  let phase: RoundPhase = 'before'
  let phaseAt = 0
  let slowestAnswerMs = 0

  function counts(at: number): PhaseCounts {
    const isGrace = phase === 'fault' && at - phaseAt < ANSWER_GRACE_MS
    return phases[isGrace ? 'before' : phase]
  }

  return {
    setPhase(next: RoundPhase, at: number) {
      if (phase === 'fault') gaps.faultAccept.close(at)
      if (next === 'fault') gaps.faultAccept.open(at)
      phase = next
      phaseAt = at
    },
    setSending: (sending: boolean, at: number) => gaps.accept[sending ? 'open' : 'close'](at),
    accepted(at: number) {
      counts(at).accepted += 1
      gaps.accept.mark(at)
      gaps.faultAccept.mark(at)
    },
    refused(status: number, retryAfter: string | null, text: string, at: number) {
      const now = counts(at)
      if (status === 503) {
        now.unavailable += 1
        if (retryAfter === null) now.withoutRetryAfter += 1
      } else if (now.unexpected.length < 20) now.unexpected.push(`${status} ${text.slice(0, 200)}`)
    },
    unanswered(at: number) {
      counts(at).noAnswer += 1
    },
    answered(afterMs: number) {
      if (phase === 'fault') slowestAnswerMs = Math.max(slowestAnswerMs, afterMs)
    },
    report(at: number) {
      for (const one of Object.values(gaps)) one.close(at)
      return {
        phases,
        acceptGapMs: Math.round(gaps.accept.longest()),
        faultAcceptGapMs: Math.round(gaps.faultAccept.longest()),
        slowestAnswerMs: Math.round(slowestAnswerMs),
      }
    },
  }
}

/** What arrived: first arrivals, successes and repeats, in their order. */
function createArrivals() {
  const arrivals = new Map<string, Arrival>()
  const repeats: Repeat[] = []
  const gap = createGap()
  let order = 0
  let count = 0

  return {
    get: (id: string) => arrivals.get(id),
    setSending: (sending: boolean, at: number) => gap[sending ? 'open' : 'close'](at),
    arrived(id: string, sent: SentEvent, at: number) {
      count += 1
      order += 1
      if (sent.target.kind === 'steady') gap.mark(at)
      const known = arrivals.get(id)
      if (known === undefined) {
        const first = { firstAt: at, firstOrder: order, succeededAt: null, succeededOrder: 0 }
        arrivals.set(id, { ...sent, ...first })
      } else if (known.succeededAt !== null)
        repeats.push({ target: sent.target.name, id, succeededAt: known.succeededAt, at })
    },
    /** @returns the arrival when this is its first success */
    succeeded(id: string, at: number): Arrival | undefined {
      const arrival = arrivals.get(id)
      if (arrival === undefined || arrival.succeededAt !== null) return undefined
      order += 1
      arrival.succeededAt = at
      arrival.succeededOrder = order
      return arrival
    },
    report(at: number) {
      gap.close(at)
      return {
        arrivals: count,
        repeats,
        outOfOrder: outOfOrder([...arrivals.values()]),
        arrivalGapMs: Math.round(gap.longest()),
      }
    },
  }
}

export function createLedger() {
  const answers = createAnswerCounts()
  const arrivals = createArrivals()
  const accepted = new Map<string, { sent: SentEvent; at: number }>()
  const outstanding = new Map<string, number>()
  const latencies: number[] = []
  let lateAt = 0
  const lateAtBy = new Map<string, number>()

  return {
    ...answers,
    arrived: arrivals.arrived,
    setSending(sending: boolean, at: number) {
      for (const one of [arrivals, answers]) one.setSending(sending, at)
    },
    accepted(id: string, sent: SentEvent, at: number) {
      answers.accepted(at)
      if (accepted.has(id)) return
      accepted.set(id, { sent, at })
      const arrival = arrivals.get(id)
      if (sent.target.kind !== 'dead' && (arrival?.succeededAt ?? null) === null)
        outstanding.set(id, at)
      else if (arrival !== undefined && sent.target.kind === 'steady') latencies.push(0)
    },
    succeeded(id: string, at: number) {
      const arrival = arrivals.succeeded(id, at)
      if (arrival === undefined) return
      const acceptedAt = outstanding.get(id)
      if (acceptedAt !== undefined && arrival.target.kind === 'steady')
        latencies.push(at - acceptedAt)
      outstanding.delete(id)
    },
    dead(ids: readonly string[]) {
      for (const id of ids) outstanding.delete(id)
    },
    noteLate(at: number) {
      for (const [id, acceptedAt] of outstanding) {
        if (at - acceptedAt <= LATE_MS) return
        lateAt = at
        lateAtBy.set(accepted.get(id)?.sent.target.kind ?? '', at)
      }
    },
    status(open: number): LoadStatus {
      const ids = [...outstanding.keys()]
      return { accepted: accepted.size, outstanding: ids, lateAt, lateAtBy: [...lateAtBy], open }
    },
    report(at: number, ownStallMs: number): LoadReport {
      latencies.sort((a, b) => a - b)
      return {
        accepted: [...accepted.keys()],
        ...answers.report(at),
        ...arrivals.report(at),
        ownStallMs: Math.round(ownStallMs),
        p50: latencies[latencies.length >> 1] ?? 0,
        p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      }
    },
  }
}
export type Ledger = ReturnType<typeof createLedger>

/**
 * Finds events of a lane that arrived before the one before them had succeeded or died. The events
 * of a lane are posted one after the other's answer, so `n` is the order of acceptance.
 */
function outOfOrder(arrivals: readonly Arrival[]): string[] {
  const inLanes = arrivals.filter(({ target }) => isOrdered(target))
  const lanes = Map.groupBy(inLanes, ({ target, lane }) => `${target.name}/${lane}`)
  const problems: string[] = []
  for (const [lane, events] of lanes) {
    events.sort((a, b) => a.n - b.n)
    let before = { order: 0, n: -1 }
    for (const { n, firstOrder, succeededAt, succeededOrder } of events) {
      if (firstOrder < before.order)
        problems.push(`${lane}: ${n} arrived before ${before.n} was done`)
      if (succeededAt !== null && succeededOrder > before.order)
        before = { order: succeededOrder, n }
    }
  }
  return problems
}

export function isOrdered({ kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'fifo' || kind === 'stuck'
}

function noCounts(): PhaseCounts {
  return { accepted: 0, unavailable: 0, withoutRetryAfter: 0, unexpected: [], noAnswer: 0 }
}

/** Measures the longest time between two marks, or between a mark and an end, while open. */
function createGap() {
  let from: number | null = null
  let longest = 0
  const mark = (at: number): void => {
    if (from === null) return
    longest = Math.max(longest, at - from)
    from = at
  }
  return {
    open(at: number) {
      from ??= at
    },
    mark,
    close(at: number) {
      mark(at)
      from = null
    },
    longest: () => longest,
  }
}
