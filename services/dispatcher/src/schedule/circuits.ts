/**
 * What this process knows of endpoints' circuits. The truth is in the state store; a healthy
 * endpoint costs a look into a map: that its circuit is closed is kept in memory, and read again
 * for all endpoints in use at once, four times a second. Failures are reported at once, successes
 * only to a circuit that has failures.
 *
 * So another process's opening is known here a quarter of a second later, when no failure of our
 * own tells us sooner: until then a few more attempts may go out. A success within the same quarter
 * of a second after a first failure elsewhere is not reported; the next one is.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import {
  type CircuitPermit,
  type CircuitView,
  type HealthSignal,
  healthSignal,
} from '@posthorn/domain/circuit'
import type { Ticker } from '@posthorn/async/ticker'
import type { StateStore } from '@posthorn/state/state-store'
import type { Configuration } from '../config/configuration.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import type { LeasedDelivery, Unrecorded } from '../delivery.ts'
import type { AttemptResult } from '../record/classify-result.ts'
import type { PublishOperationalEvents } from '../record/publish-operational-events.ts'

export interface CircuitsDeps {
  state: Pick<StateStore, 'readCircuits' | 'passCircuit' | 'reportCircuit'>
  configuration: Pick<Configuration, 'peekTarget' | 'getTarget'>
  /** Each change of a circuit is told to one process. */
  operationalEvents: Pick<PublishOperationalEvents, 'circuitChanged'>
  /** A probe has brought its result, or could not go: the endpoint's backlog may look again. */
  probed(endpointId: string): void
  /** Calls `tick`. */
  ticker: Pick<Ticker, 'wake'>
  now(): number
}

export interface Circuits {
  /** Reads the circuits of the deliveries' endpoints that are not known; undefined: all are. */
  learn(batch: readonly { message: DueDelivery }[]): Promise<void> | undefined
  /** While its circuit is open nothing but a probe goes to a target. */
  stops(delivery: Pick<LeasedDelivery, 'probe'>, target: ResolvedTarget): boolean
  /** Asks to send from a backlog; null: it may send without further ado. */
  requestPermit(tenantId: string, endpointId: string): Promise<CircuitPermit> | null
  attemptEnded(result: Pick<AttemptResult, 'delivery' | 'attempt' | 'category' | 'dropped'>): void
  /** Gives back a probe that was granted and is not sent. */
  release(endpointId: string): void
  releaseProbe(delivery: LeasedDelivery): void
  /** Called every 250 ms; false: there is nothing to do until the ticker is woken. */
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
/** Redis is busy with so many for 0.3 ms. */
const MAX_READ = 1_000
/**
 * What a probe may take beyond its timeout: a slot, a token, the payload, the response's way back.
 */
const PROBE_SLACK_MS = 10_000

// oxlint-disable-next-line max-lines-per-function -- what is known of circuits must change together
export function createCircuits(deps: CircuitsDeps): Circuits {
  const { state, configuration } = deps
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
      const target = configuration.peekTarget(tenantId, endpointId)
      if (target === null || target?.circuit === null) continue
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
      // What was reported meanwhile is newer.
      if (view === undefined || (before !== undefined && before.readAt > askedAt)) return
      note(endpointId, view, askedAt)
    })
  }

  function add(endpointId: string, one: Known): void {
    known.set(endpointId, one)
    deps.ticker.wake()
  }

  function note(endpointId: string, view: CircuitView, readAt: number): void {
    const closed = view.state === 'closed'
    const failing = view.failures > 0
    const one = known.get(endpointId)
    if (one !== undefined) Object.assign(one, { readAt, closed, failing })
    else add(endpointId, { readAt, usedAt: readAt, closed, failing })
  }

  function isOpen({ circuit, endpointId }: ResolvedTarget): boolean {
    if (circuit === null || endpointId === null) return false
    const one = known.get(endpointId)
    return one !== undefined && !one.closed
  }

  function requestPermit(tenantId: string, endpointId: string): Promise<CircuitPermit> | null {
    const target = configuration.peekTarget(tenantId, endpointId)
    if (target === null || target?.circuit === null) return null
    if (isFresh(endpointId, deps.now()) && known.get(endpointId)?.closed) return null
    return target === undefined ? readAndAsk(tenantId, endpointId) : ask(endpointId, target)
  }

  /**
   * The target is read for its timeout: with a lease for the longest of all attempts the circuit
   * would stay open for a minute, should the probe's result be lost.
   */
  async function readAndAsk(tenantId: string, endpointId: string): Promise<CircuitPermit> {
    const target = await configuration.getTarget(tenantId, endpointId)
    return target?.circuit ? await ask(endpointId, target) : { outcome: 'closed' }
  }

  async function ask(endpointId: string, { timeoutMs }: ResolvedTarget): Promise<CircuitPermit> {
    const permit = await state.passCircuit(endpointId, timeoutMs + PROBE_SLACK_MS)
    const closed = permit.outcome === 'closed'
    const now = deps.now()
    const one = known.get(endpointId)
    // A closed circuit may still count failures: its count comes with the next reading.
    if (one !== undefined) Object.assign(one, { closed, usedAt: now, readAt: now })
    else add(endpointId, { readAt: now, usedAt: now, closed, failing: true })
    return permit
  }

  function attemptEnded({
    delivery,
    attempt,
    category,
    dropped,
  }: Pick<AttemptResult, 'delivery' | 'attempt' | 'category' | 'dropped'>): void {
    const { endpointId } = attempt
    if (endpointId === null || delivery.target.circuit === null) return
    const signal = dropped ? 'nothing' : healthSignal(category, attempt.statusCode)
    if (!delivery.probe) {
      const one = known.get(endpointId)
      if (signal === 'nothing' || (one !== undefined && !one.closed)) return
      if (signal === 'success' && !one?.failing) return
      // The others of these successes need not be reported.
      if (signal === 'success' && one !== undefined) one.failing = false
    }
    void report(delivery, endpointId, signal, attempt.durationMs)
  }

  async function report(
    delivery: Unrecorded,
    endpointId: string,
    signal: HealthSignal,
    durationMs: number,
  ): Promise<void> {
    const { target, message } = delivery
    if (target.circuit === null) return
    const isProbe = delivery.probe
    delivery.probe = false
    const reported = await state.reportCircuit(
      endpointId,
      { signal, isProbe, durationMs },
      target.circuit,
    )
    note(endpointId, reported.view, deps.now())
    if (reported.change !== null) deps.operationalEvents.circuitChanged(target, message, reported)
    if (isProbe) deps.probed(endpointId)
  }

  function release(endpointId: string): void {
    const nothing = { signal: 'nothing', isProbe: true, durationMs: 0 } as const
    const policy = { threshold: 1, resetMs: 0 }
    void state.reportCircuit(endpointId, nothing, policy).then(() => deps.probed(endpointId))
  }

  return {
    learn,
    stops: (delivery, target) => target.circuit !== null && !delivery.probe && isOpen(target),
    requestPermit,
    attemptEnded,
    release,
    releaseProbe(delivery) {
      if (!delivery.probe || delivery.message.endpointId === null) return
      delivery.probe = false
      release(delivery.message.endpointId)
    },
    async tick() {
      const now = deps.now()
      const used: string[] = []
      for (const [endpointId, { usedAt }] of known) {
        if (now - usedAt > IDLE_MS) known.delete(endpointId)
        else used.push(endpointId)
      }
      for (let at = 0; at < used.length; at += MAX_READ) await read(used.slice(at, at + MAX_READ))
      return known.size > 0
    },
  }
}
