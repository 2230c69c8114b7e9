/**
 * How a dispatcher stops: it takes nothing more and leaves its group, so that others read its
 * partitions while it still sends; gives back at once what it has not begun; finishes what is in
 * flight, and records its results. What is not done in time is announced again when its lease ends.
 */
import type { Log } from '@posthorn/runtime/log'
import { within } from '@posthorn/async/within'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { ParkingWriter } from './backlog/park-deliveries.ts'
import type { Backlogs } from './backlog/serve-backlogs.ts'
import type { LeasedDelivery } from './delivery.ts'
import type { InFlightSet } from './in-flight-set.ts'
import type { Intake } from './intake/take-announced.ts'
import type { Mutex } from '@posthorn/async/mutex'
import type { Recorder } from './record/record-results.ts'
import type { FairScheduler } from './schedule/fair-scheduler.ts'
import type { Attempts } from './send/attempt-delivery.ts'
import type { Statements } from './statements.ts'

export interface ShutDownDeps {
  intake: Pick<Intake, 'stop' | 'idle'>
  backlogs: Pick<Backlogs, 'stop' | 'idle'>
  scheduler: Pick<FairScheduler, 'drain'>
  attempts: Pick<Attempts, 'quiet'>
  parking: Pick<ParkingWriter, 'drain' | 'idle'>
  recorder: Pick<Recorder, 'idle' | 'giveUp'>
  inFlight: Pick<InFlightSet, 'forget'>
  statements: Pick<Statements, 'releaseLeases'>
  mutex: Mutex
  /** Commits what has been taken on; what has not goes to the others. */
  leaveGroup(): Promise<void>
  log: Pick<Log, 'warn'>
}

/** For what is left when the time is over: enough for a statement under way. */
export const LAST_MS = 500

export async function shutDown(deps: ShutDownDeps, timeoutMs: number): Promise<void> {
  const { intake, backlogs, scheduler, attempts, parking, recorder } = deps
  const deadline = performance.now() + timeoutMs
  const left = (): number => Math.max(0, deadline - performance.now())
  intake.stop()
  const owned = backlogs.stop()
  await within(left(), intake.idle())
  // Not after the attempts: for as long as the longest lasts, its partitions would be read by
  // nobody.
  const leaving = deps.leaveGroup()
  await within(left(), Promise.all([backlogs.idle(), parking.idle()]))
  await within(left(), release(deps, [...owned, ...backlogs.stop()], waiting()))
  await within(left(), attempts.quiet())
  await within(left(), recorder.idle())
  // The next in the lanes of what has ended since, and backlogs of what has been parked since.
  await within(left(), release(deps, backlogs.stop(), waiting()))
  recorder.giveUp()
  await within(LAST_MS, recorder.idle())
  await leaving

  function waiting(): LeasedDelivery[] {
    return [...scheduler.drain(), ...parking.drain()]
  }
}

async function release(
  { inFlight, statements, mutex, log }: ShutDownDeps,
  backlogs: readonly Pick<OwnedBacklog, 'tenantId' | 'targetId' | 'token'>[],
  waiting: readonly LeasedDelivery[],
): Promise<void> {
  if (backlogs.length + waiting.length === 0) return
  try {
    await mutex(async () => {
      await statements.releaseLeases([
        ...backlogs.map(({ tenantId, targetId: id, token }) => ({ tenantId, id, token })),
        ...waiting.map(({ message, token }) => ({
          tenantId: message.tenantId,
          id: message.deliveryId,
          token,
        })),
      ])
      for (const delivery of waiting) inFlight.forget(delivery)
    })
  } catch (error) {
    log.warn('dispatcher.leases-kept', { leases: backlogs.length + waiting.length, error })
  }
}
