/**
 * How a dispatcher leaves: it takes nothing more and leaves its group, so that others read its partitions while it still
 * sends; gives back at once what it has not begun; finishes what is in flight, and records what came of it. What is not
 * done in time is announced again when its lease ends.
 */
import type { Log } from '@posthorn/runtime/log'
import { within } from '@posthorn/runtime/within'
import type { LeasedRow } from '@posthorn/store/pipeline/renew-leases'
import type { Backlogs } from './backlog/serve-backlogs.ts'
import type { Consume } from './intake/take-announced.ts'
import type { FairScheduler } from './schedule/fair-scheduler.ts'
import type { ParkingWriter } from './backlog/park-deliveries.ts'
import type { Recorder } from './record/record-results.ts'
import type { Mutex } from './mutex.ts'
import type { LeasedDelivery, DeliveriesById } from './delivery.ts'

export interface LeavingParts {
  consume: Pick<Consume, 'stop' | 'idle'>
  backlogs: Pick<Backlogs, 'stop' | 'idle'>
  lines: Pick<FairScheduler, 'drain'>
  parking: Pick<ParkingWriter, 'drain' | 'idle'>
  recorder: Pick<Recorder, 'idle' | 'giveUp'>
  works: DeliveriesById
  turns: Mutex
  releaseLeases(held: LeasedRow[]): Promise<void>
  /** Commits what has been taken on; what has not goes to the others. */
  leaveGroup(): Promise<void>
  /** Resolves when no try is under way. */
  quiet(): Promise<void>
  /** Results that come later are not recorded. */
  close(): void
}

/** Of what is left when the time is over: enough for a statement under way. */
export const LAST_MS = 500

export async function leave(
  parts: LeavingParts,
  log: Pick<Log, 'warn'>,
  timeoutMs: number,
): Promise<void> {
  const { consume, backlogs, lines, parking, recorder } = parts
  const deadline = performance.now() + timeoutMs
  const left = (): number => Math.max(0, deadline - performance.now())
  consume.stop()
  const held = backlogs.stop()
  await within(left(), consume.idle())
  // Not after the tries: for as long as the longest lasts its partitions would be read by nobody.
  const leaving = parts.leaveGroup()
  await within(left(), Promise.all([backlogs.idle(), parking.idle()]))
  await within(left(), release(parts, [...held, ...backlogs.stop()], waiting(), log))
  await within(left(), parts.quiet())
  await within(left(), recorder.idle())
  // What their end has released in their lanes, and backlogs of what has been parked since.
  await within(left(), release(parts, backlogs.stop(), waiting(), log))
  parts.close()
  recorder.giveUp()
  await within(LAST_MS, recorder.idle())
  await leaving

  function waiting(): LeasedDelivery[] {
    return [...lines.drain(), ...parking.drain()]
  }
}

async function release(
  { works, turns, releaseLeases }: LeavingParts,
  backlogs: readonly { tenantId: string; targetId: string; token: number }[],
  waiting: readonly LeasedDelivery[],
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (backlogs.length + waiting.length === 0) return
  try {
    await turns(async () => {
      await releaseLeases([
        ...backlogs.map(({ tenantId, targetId: id, token }) => ({ tenantId, id, token })),
        ...waiting.map(({ message, token }) => ({
          tenantId: message.tenantId,
          id: message.deliveryId,
          token,
        })),
      ])
      for (const { message } of waiting) works.delete(message.deliveryId)
    })
  } catch (error) {
    log.warn('dispatcher.leases-kept', { leases: backlogs.length + waiting.length, error })
  }
}
