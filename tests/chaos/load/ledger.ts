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

export function createLedger() {
  const accepted = new Map<string, { sent: SentEvent; at: number }>()
  const arrivals = new Map<string, Arrival>()
  const outstanding = new Map<string, number>()
  const repeats: Repeat[] = []
  const latencies: number[] = []
  const phases: Record<RoundPhase, PhaseCounts> = {
    before: noCounts(),
    fault: noCounts(),
    after: noCounts(),
  }
  const gaps = { arrival: createGap(), accept: createGap(), faultAccept: createGap() }
  let phase: RoundPhase = 'before'
  let phaseAt = 0
  let order = 0
  let count = 0
  let lateAt = 0
  let slowestAnswerMs = 0
  const lateAtBy = new Map<string, number>()

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
    setSending(sending: boolean, at: number) {
      for (const one of [gaps.arrival, gaps.accept]) one[sending ? 'open' : 'close'](at)
    },
    accepted(id: string, sent: SentEvent, at: number) {
      counts(at).accepted += 1
      gaps.accept.mark(at)
      gaps.faultAccept.mark(at)
      if (accepted.has(id)) return
      accepted.set(id, { sent, at })
      const arrival = arrivals.get(id)
      if (sent.target.kind !== 'dead' && (arrival?.succeededAt ?? null) === null)
        outstanding.set(id, at)
      else if (arrival !== undefined && sent.target.kind === 'steady') latencies.push(0)
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
    arrived(id: string, sent: SentEvent, at: number) {
      count += 1
      order += 1
      if (sent.target.kind === 'steady') gaps.arrival.mark(at)
      const known = arrivals.get(id)
      if (known === undefined) {
        const first = { firstAt: at, firstOrder: order, succeededAt: null, succeededOrder: 0 }
        arrivals.set(id, { ...sent, ...first })
      } else if (known.succeededAt !== null)
        repeats.push({ target: sent.target.name, id, succeededAt: known.succeededAt, at })
    },
    succeeded(id: string, at: number) {
      const arrival = arrivals.get(id)
      if (arrival === undefined || arrival.succeededAt !== null) return
      order += 1
      arrival.succeededAt = at
      arrival.succeededOrder = order
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
      for (const one of Object.values(gaps)) one.close(at)
      latencies.sort((a, b) => a - b)
      return {
        accepted: [...accepted.keys()],
        phases,
        arrivals: count,
        repeats,
        outOfOrder: outOfOrder([...arrivals.values()]),
        arrivalGapMs: Math.round(gaps.arrival.longest()),
        acceptGapMs: Math.round(gaps.accept.longest()),
        faultAcceptGapMs: Math.round(gaps.faultAccept.longest()),
        slowestAnswerMs: Math.round(slowestAnswerMs),
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
  const wrong: string[] = []
  for (const [lane, events] of lanes) {
    events.sort((a, b) => a.n - b.n)
    let before = { order: 0, n: -1 }
    for (const { n, firstOrder, succeededAt, succeededOrder } of events) {
      if (firstOrder < before.order) wrong.push(`${lane}: ${n} arrived before ${before.n} was done`)
      if (succeededAt !== null && succeededOrder > before.order)
        before = { order: succeededOrder, n }
    }
  }
  return wrong
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
