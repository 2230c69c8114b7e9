/**
 * Works on bulk replays, one slice of one job a round. The job that was looked at longest ago comes
 * first, so that all of them make progress. When a process is killed, another one goes on once the
 * lease ends; a slice is done as a whole or not at all.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { Log } from '@posthorn/runtime/log'
import { createTicker, type Ticker } from '@posthorn/async/ticker'
import {
  type LeasedReplay,
  type ReplayedSlice,
  replaySlice,
  takeReplay,
} from '@posthorn/store/pipeline/bulk-replays'
import type { Pool } from '@posthorn/store/pool'
import type { AnnounceDeliveries } from '../announce-deliveries.ts'

export interface RunReplaysDeps {
  takeReplay(): Promise<LeasedReplay | null>
  /** Returns null when another process has taken the job over. */
  replaySlice(leased: LeasedReplay): Promise<ReplayedSlice | null>
  announceDeliveries: AnnounceDeliveries
  /**
   * False while the bus takes no more messages: deliveries that were queued now would only wait for
   * their leases to end.
   */
  writable(): boolean
  log: Pick<Log, 'info'>
}

/**
 * A slice queues at most 500 deliveries: 2,500 a second for each instance of the service. Looking
 * for a job when there is none takes 0.2 ms.
 */
const REPLAY_ROUND_MS = 200
/**
 * The instance that takes a request for a replay starts it at once. This check is for a job whose
 * process was killed; it goes on when its lease of 10 s ends.
 */
export const REPLAY_IDLE_CHECK_MS = 5_000
/**
 * A slice with fewer deliveries is no load for the dispatchers, so the next one follows at once.
 */
const SMALL_SLICE = 100

/**
 * @returns true when there is more to do at once; a number: there is no job, and none need be
 *   looked for during so many ms
 */
export async function runReplays(deps: RunReplaysDeps): Promise<boolean | number> {
  if (!deps.writable()) return false
  const leased = await deps.takeReplay()
  if (leased === null) return REPLAY_IDLE_CHECK_MS
  const slice = await deps.replaySlice(leased)
  if (slice === null) return true
  deps.announceDeliveries(slice)
  deps.log.info('replay.advanced', {
    tenantId: leased.tenantId,
    replayId: leased.id,
    endpointId: leased.endpointId,
    queued: slice.queued,
    ended: slice.ended,
  })
  return slice.queued < SMALL_SLICE
}

export function createReplayTicker({
  pool,
  bus,
  announceDeliveries,
  log,
}: {
  pool: Pool
  bus: Pick<Bus, 'writable'>
  announceDeliveries: AnnounceDeliveries
  log: Pick<Log, 'info' | 'warn'>
}): Ticker {
  return createTicker(
    {
      name: 'replays',
      everyMs: REPLAY_ROUND_MS,
      onError: (error) => log.warn('replay.failed', { error }),
    },
    () =>
      runReplays({
        takeReplay: () => takeReplay(pool),
        replaySlice: (leased) => replaySlice(pool, leased),
        announceDeliveries,
        writable: () => bus.writable(),
        log,
      }),
  )
}
