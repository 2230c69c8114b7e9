/**
 * What this process knows of endpoints' circuits. The truth is in the state store; a healthy endpoint costs a look into
 * a map: that its circuit is closed is remembered, and read again for all endpoints in use at once, four times a second.
 * Failures are told at once, successes only to a circuit that has failures.
 *
 * So another process's opening is known here a quarter of a second later, when no failure of our own tells us sooner:
 * until then a few tries more may go out. A success is not told in the same quarter of a second after a first failure
 * elsewhere; the next one is.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import {
  type HealthSignal,
  type CircuitView,
  healthSignal,
  type CircuitPermit,
  type ReportedCircuit,
} from '@posthorn/domain/circuit'
import type { StateStore } from '@posthorn/state/state-store'
import type { AttemptResult } from '../record/record-results.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import type { LeasedDelivery } from '../delivery.ts'

export interface CircuitsDeps {
  state: Pick<StateStore, 'readCircuits' | 'passCircuit' | 'reportCircuit'>
  /** As it is in memory; undefined: not known. */
  peekTarget(tenantId: string, endpointId: string): ResolvedTarget | null | undefined
  /** From Postgres, where it is not in memory. */
  readTarget(tenantId: string, endpointId: string): Promise<ResolvedTarget | null | undefined>
  /** A circuit has changed by what was told here; each change is told to one process. */
  onChange(way: ResolvedTarget, message: DueDelivery, reported: ReportedCircuit): void
  /** A probe has told how it went, or could not go: whoever waits for it may look. */
  onProbed(endpointId: string): void
  /** `tick` has something to do. */
  onKnown(): void
  now(): number
}

export interface Circuits {
  /** Reads those of the deliveries' endpoints that are not known; undefined: there are none. */
  learn(batch: readonly { message: DueDelivery }[]): Promise<void> | undefined
  /** Nothing but a probe goes there. */
  isOpen(way: ResolvedTarget): boolean
  /** Asks to send from a backlog; null: without further ado. */
  requestPermit(tenantId: string, endpointId: string): Promise<CircuitPermit> | null
  attemptEnded(result: AttemptResult): void
  /** A probe that was granted and is not sent. */
  release(endpointId: string): void
  releaseProbe(work: LeasedDelivery): void
  /** @returns the works as they came */
  releaseProbes(works: LeasedDelivery[]): LeasedDelivery[]
  /** Called every 250 ms; false: there is nothing to do until `onKnown`. */
  tick(): Promise<boolean>
}

interface Known {
  readAt: number
  usedAt: number
  closed: boolean
  /** It counts failures, or is open. */
  failing: boolean
}

/** Two readings may fail to come before an endpoint is taken for unknown. */
const FRESH_MS = 750
const IDLE_MS = 2_000
/** Redis is held for 0.3 ms. */
const MAX_READ = 1_000
/** What a probe may take beyond its timeout: a slot, a token, the payload, the answer's way back. */
const PROBE_SLACK_MS = 10_000

export function createCircuits(deps: CircuitsDeps): Circuits {
  const { state } = deps
  const known = new Map<string, Known>()

  function isFresh(endpointId: string, now: number): boolean {
    const one = known.get(endpointId)
    if (one === undefined || now - one.readAt > FRESH_MS) return false
    one.usedAt = now
    return true
  }

  function learn(batch: readonly { message: DueDelivery }[]): Promise<void> | undefined {
    const now = deps.now()
    let unknown: Set<string> | undefined
    for (const { message } of batch) {
      const { tenantId, endpointId } = message
      if (endpointId === null || isFresh(endpointId, now)) continue
      const way = deps.peekTarget(tenantId, endpointId)
      if (way === null || way?.circuit === null) continue
      unknown ??= new Set()
      unknown.add(endpointId)
      const one = known.get(endpointId)
      if (one !== undefined) one.usedAt = now
    }
    return unknown && read([...unknown])
  }

  async function read(endpointIds: readonly string[]): Promise<void> {
    const askedAt = deps.now()
    const views = await state.readCircuits(endpointIds)
    endpointIds.forEach((endpointId, index) => {
      const view = views[index]
      const before = known.get(endpointId)
      // What was told meanwhile is newer.
      if (view === undefined || (before !== undefined && before.readAt > askedAt)) return
      note(endpointId, view, askedAt)
    })
  }

  function learnt(endpointId: string, one: Known): void {
    known.set(endpointId, one)
    deps.onKnown()
  }

  function note(endpointId: string, view: CircuitView, readAt: number): void {
    const closed = view.state === 'closed'
    const failing = view.failures > 0
    const one = known.get(endpointId)
    if (one !== undefined) Object.assign(one, { readAt, closed, failing })
    else learnt(endpointId, { readAt, usedAt: readAt, closed, failing })
  }

  function pass(tenantId: string, endpointId: string): Promise<CircuitPermit> | null {
    const way = deps.peekTarget(tenantId, endpointId)
    if (way === null || way?.circuit === null) return null
    if (isFresh(endpointId, deps.now()) && known.get(endpointId)?.closed) return null
    return way === undefined ? readAndAsk(tenantId, endpointId) : ask(endpointId, way)
  }

  /** A lease for the longest of all tries would keep the circuit open for a minute, should its answer be lost. */
  async function readAndAsk(tenantId: string, endpointId: string): Promise<CircuitPermit> {
    const way = await deps.readTarget(tenantId, endpointId)
    return way?.circuit ? await ask(endpointId, way) : { outcome: 'closed' }
  }

  async function ask(endpointId: string, { timeoutMs }: ResolvedTarget): Promise<CircuitPermit> {
    const passage = await state.passCircuit(endpointId, timeoutMs + PROBE_SLACK_MS)
    const closed = passage.outcome === 'closed'
    const now = deps.now()
    const one = known.get(endpointId)
    // Closed may still count failures: what it counts is read with the next reading.
    if (one !== undefined) Object.assign(one, { closed, usedAt: now, readAt: now })
    else learnt(endpointId, { readAt: now, usedAt: now, closed, failing: true })
    return passage
  }

  function ended({ delivery: work, attempt, category, dropped }: AttemptResult): void {
    const { target: way } = work
    const { endpointId } = attempt
    if (endpointId === null || !way?.circuit) return
    const sign = dropped ? 'nothing' : healthSignal(category, attempt.statusCode)
    if (!work.probe) {
      const one = known.get(endpointId)
      if (sign === 'nothing' || (one !== undefined && !one.closed)) return
      if (sign === 'success' && !one?.failing) return
      // The others of these successes need not be told.
      if (sign === 'success' && one !== undefined) one.failing = false
    }
    void report(work, way, endpointId, sign, attempt.durationMs)
  }

  async function report(
    work: LeasedDelivery,
    way: ResolvedTarget,
    endpointId: string,
    sign: HealthSignal,
    lastedMs: number,
  ): Promise<void> {
    if (way.circuit === null) return
    const isProbe = work.probe
    work.probe = false
    const told = await state.reportCircuit(
      endpointId,
      { signal: sign, isProbe, durationMs: lastedMs },
      way.circuit,
    )
    note(endpointId, told.view, deps.now())
    if (told.change !== null) deps.onChange(way, work.message, told)
    if (isProbe) deps.onProbed(endpointId)
  }

  function release(endpointId: string): void {
    const report_ = { signal: 'nothing', isProbe: true, durationMs: 0 } as const
    const policy = { threshold: 1, resetMs: 0 }
    void state.reportCircuit(endpointId, report_, policy).then(() => deps.onProbed(endpointId))
  }

  function releaseProbe(work: LeasedDelivery): void {
    if (!work.probe || work.message.endpointId === null) return
    work.probe = false
    release(work.message.endpointId)
  }

  async function tick(): Promise<boolean> {
    const now = deps.now()
    const used: string[] = []
    for (const [endpointId, { usedAt }] of known) {
      if (now - usedAt > IDLE_MS) known.delete(endpointId)
      else used.push(endpointId)
    }
    for (let at = 0; at < used.length; at += MAX_READ) await read(used.slice(at, at + MAX_READ))
    return known.size > 0
  }

  return {
    learn,
    isOpen(way) {
      if (way.circuit === null || way.endpointId === null) return false
      const one = known.get(way.endpointId)
      return one !== undefined && !one.closed
    },
    requestPermit: pass,
    attemptEnded: ended,
    release,
    releaseProbe,
    releaseProbes(works) {
      works.forEach(releaseProbe)
      return works
    },
    tick,
  }
}
