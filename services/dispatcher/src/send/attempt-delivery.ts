/**
 * The flow of an attempt, from its slot to its end: the target as it is now, the payload where it
 * did not travel, the attempt itself (`send-attempt.ts`), and its result
 * (`record/record-results.ts`). The slot is free as soon as the response is here; the delivery
 * stays ours until it is recorded.
 */
import type { ListEntry } from '@posthorn/async/linked-list'
import type { Ticker } from '@posthorn/async/ticker'
import type { ParkingWriter } from '../backlog/park-deliveries.ts'
import type { Configuration } from '../config/configuration.ts'
import { decideAdmission } from '../config/decide-admission.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { type Queued, type Sending, toSending } from '../delivery.ts'
import type { Recorder } from '../record/record-results.ts'
import type { NotSent, Sender } from './send-attempt.ts'
import { createAttemptAges } from './attempt-ages.ts'
import type { Circuits } from '../schedule/circuits.ts'
import type { TargetQueue } from '../schedule/target-queue.ts'
import type { Windows } from '../schedule/windows.ts'

export interface AttemptsDeps {
  windows: Windows
  configuration: Pick<Configuration, 'peekTenant'>
  circuits: Pick<Circuits, 'stops'>
  sender: Sender
  recorder: Pick<Recorder, 'record'>
  parking: Pick<ParkingWriter, 'park' | 'cancel' | 'drop'>
  /** The payload of an attempt under way has been read. */
  slotResized(sending: Sending): void
  /** The response is here: another attempt may start. */
  slotFreed(sending: Sending, now: number): void
  /** Calls `age`. */
  ticker: Pick<Ticker, 'wake'>
  now(): number
}

export interface Attempts {
  /** False: the delivery does not go, and has been parked or cancelled. */
  start(delivery: Queued, queue: TargetQueue): boolean
  /** Called every 100 ms: tells slow targets. @returns the attempts that have begun to last */
  age(): Sending[]
  /** Attempts are under way that may yet become lasting or slow. */
  hasYoung(): boolean
  /** Resolves when no attempt is under way. */
  quiet(): Promise<void>
}

// oxlint-disable-next-line max-lines-per-function -- the steps of one attempt, in their order
export function createAttempts(deps: AttemptsDeps): Attempts {
  const { windows, circuits, sender, recorder, parking } = deps
  const ages = createAttemptAges<Sending>(({ slot }) => slot.startedAt)
  let onQuiet: (() => void) | undefined

  function start(delivery: Queued, queue: TargetQueue): boolean {
    const target = targetNow(delivery)
    if (target === null) return false
    const now = deps.now()
    queue.usedAt = now
    windows.move(queue.load, target.originKey)
    const bytes = delivery.message.payload?.length ?? null
    const sending = toSending(delivery, target, windows.takeSlot(queue.load, now, bytes))
    const place = ages.started(sending)
    deps.ticker.wake()
    void attempt(sending, place)
    return true
  }

  /** The target as it is now; null: the delivery has been parked or cancelled. */
  function targetNow(delivery: Queued): ResolvedTarget | null {
    const { message } = delivery
    const tenant = deps.configuration.peekTenant(message.tenantId)
    let { target } = delivery
    if (tenant !== undefined) {
      const admission = decideAdmission(message, tenant, false)
      if (admission.outcome === 'send') ({ target } = admission)
      else if (admission.outcome !== 'unknown') {
        if (admission.outcome === 'park') parking.park(delivery, admission.targetId)
        else parking.cancel(delivery, admission.reason)
        return null
      }
    }
    if (!circuits.stops(delivery, target)) return target
    parking.park(delivery, target.targetId)
    return null
  }

  async function attempt(sending: Sending, place: ListEntry<Sending>): Promise<void> {
    let { payload } = sending.message
    if (payload === null) {
      const loaded = await sender.loadPayload(sending)
      if (typeof loaded !== 'string') return endUnsent(sending, place, loaded)
      windows.setBytes(sending.slot, loaded.length)
      payload = loaded
      deps.slotResized(sending)
    }
    const observed = await sender.send(sending, payload)
    if (observed.outcome === 'not-sent') return endUnsent(sending, place, observed)
    releaseSlot(sending, place)
    recorder.record(sending, observed)
  }

  function endUnsent(sending: Sending, place: ListEntry<Sending>, { because }: NotSent): void {
    releaseSlot(sending, place)
    if (because === 'event deleted') parking.cancel(sending, because)
    else parking.drop(sending)
  }

  function releaseSlot(sending: Sending, place: ListEntry<Sending>): void {
    const now = deps.now()
    ages.ended(place)
    windows.releaseSlot(sending.slot, now)
    deps.slotFreed(sending, now)
    if (windows.inFlight() === 0) onQuiet?.()
  }

  function age(): Sending[] {
    const now = deps.now()
    const { lasting, slow } = ages.tick(now)
    for (const { slot } of slow) windows.markSlow(slot, now)
    return lasting
  }

  async function quiet(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    onQuiet = resolve
    if (windows.inFlight() > 0) await promise
  }

  return { start, age, hasYoung: ages.some, quiet }
}
