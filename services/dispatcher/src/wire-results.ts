/** Where works end: recorded, parked, given up or dropped. Wired for `wire.ts`; no decision is made here. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import { isUnavailable } from '@posthorn/store/pool'
import { createParking } from './backlog/park-deliveries.ts'
import { createRecorder } from './record/record-results.ts'
import type { Mutex } from './mutex.ts'
import type { wireControls } from './wire-controls.ts'
import type { bindStatements } from './statements.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'
import type { LeasedDelivery } from './delivery.ts'
import type { InFlightSet } from './in-flight-set.ts'

export interface ResultParts {
  works: InFlightSet
  statements: ReturnType<typeof bindStatements>
  controls: ReturnType<typeof wireControls>
  turns: Mutex
  /** Aborted: nothing is tried again. */
  stopping: AbortSignal
  onHeld(backlogs: OwnedBacklog[]): void
  onReleased(deliveries: DueDelivery[], askedAt: number): void
  /** Results, or works that leave, have become fewer. */
  onRecorded(): void
  onLeaving(): void
  onParked(): void
  now(): number
}

/** Between two tries to reach Postgres with results. */
const RETRY_MS = 250

export function wireResults({ metrics, log }: DispatcherDeps, parts: ResultParts) {
  const { works, statements, turns, onReleased, now } = parts
  const { circuits, onSettled } = parts.controls
  const common = { ...statements, isUnavailable, onReleased, turns, now, log }

  const recorder = createRecorder({
    ...common,
    pause: () => pause(RETRY_MS, undefined, { signal: parts.stopping }).catch(() => undefined),
    onSettled,
    onRoom: parts.onRecorded,
    heads: works.heads,
  })

  const parking = createParking({
    ...common,
    inFlight: works,
    onBacklogsMade: parts.onHeld,
    onLeaving: parts.onLeaving,
    onCapacity: parts.onParked,
    count: (parked) => metrics.count('posthorn_deliveries_parked_total', {}, parked),
  })

  return {
    recorder,
    parking,
    hold(work: LeasedDelivery, targetId: string): void {
      circuits.releaseProbe(work)
      parking.park(work, targetId)
    },
    cancel(work: LeasedDelivery, reason: string): void {
      circuits.releaseProbe(work)
      parking.cancel(work, reason)
    },
  }
}
