/**
 * Works off bulk replays, a slice of one job a round: the job that was looked at longest ago, so that all of them go on.
 * What a killed process had begun goes on in another when its lease ends; a slice was done as a whole or not at all.
 */
import type { Log } from '@posthorn/runtime/log'
import type { LeasedReplay, ReplayedSlice } from '@posthorn/store/pipeline/bulk-replays'
import type { AnnounceDeliveries } from '../announce-deliveries.ts'

export interface RunReplaysDeps {
  takeReplay(): Promise<LeasedReplay | null>
  /** null: somebody else has taken the job over. */
  replaySlice(held: LeasedReplay): Promise<ReplayedSlice | null>
  announceDeliveries: AnnounceDeliveries
  /** False: the bus takes no more now, and what is queued again would only wait for its lease to end. */
  writable(): boolean
  log: Pick<Log, 'info'>
}

/**
 * A slice queues 500 deliveries at most: 2,500 a second for each instance of the service. Looking for a job that is not
 * there costs 0.2 ms.
 */
export const REPLAY_ROUND_MS = 200
/**
 * Whoever takes a request for a replay on begins with it at once. This is for a job whose process was killed, which goes on
 * when its lease of 10 s ends.
 */
export const REPLAY_IDLE_CHECK_MS = 5_000
/** A slice with fewer costs the dispatchers nothing: the next one follows at once. */
const FEW = 100

/** @returns true when there is more to do at once; a number: there is no job, and for so many ms none need be looked for */
export async function runReplays(deps: RunReplaysDeps): Promise<boolean | number> {
  if (!deps.writable()) return false
  const held = await deps.takeReplay()
  if (held === null) return REPLAY_IDLE_CHECK_MS
  const slice = await deps.replaySlice(held)
  if (slice === null) return true
  deps.announceDeliveries(slice)
  deps.log.info('replay.advanced', {
    tenantId: held.tenantId,
    replayId: held.id,
    endpointId: held.endpointId,
    queued: slice.queued,
    ended: slice.ended,
  })
  return slice.queued < FEW
}
