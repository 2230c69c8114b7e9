/**
 * Decides whether whoever waits may take the database over, from what it has seen of the lease.
 * Time is counted by its own clock alone, and only while Postgres answers: an owner that could not
 * renew because Postgres was away has done nothing wrong.
 */
import type { LeaseRow } from './lease-row.ts'

export interface LeaseObservation {
  epoch: number
  renewals: number
  /** Since when the lease has been seen as it is, by this process's clock. */
  since: number
  seenAt: number
}

/**
 * released: its owner ended in good order. session-ended: the owner died, or its machine is gone,
 * or it was cut off from Postgres. silent: it stands still.
 */
export type TakeoverReason = 'released' | 'session-ended' | 'silent'

export interface LeaseTimes {
  /** An owner whose session has ended is given this long to renew the lease from another one. */
  endedMs: number
  /** Longer than the leases of the pipeline, so that nothing the owner began may still be sent. */
  silentMs: number
  /** Between two looks; after a longer gap the time begins anew, for Postgres stood still. */
  maxGapMs: number
}

/** Four renewals; and the pipeline's leases of 10 s with a half as reserve. */
export const LEASE_TIMES: LeaseTimes = { endedMs: 2_000, silentMs: 15_000, maxGapMs: 1_500 }

export interface LeaseLook {
  observation: LeaseObservation
  takeover: TakeoverReason | null
}

/** @param before undefined: the lease was not seen before, or could not be read meanwhile */
export function observeLease(
  before: LeaseObservation | undefined,
  row: LeaseRow,
  now: number,
  times: LeaseTimes,
): LeaseLook {
  const { epoch, renewals } = row
  const isSame =
    before !== undefined &&
    before.epoch === epoch &&
    before.renewals === renewals &&
    now - before.seenAt <= times.maxGapMs
  const since = isSame ? before.since : now
  const observation = { epoch, renewals, since, seenAt: now }
  return { observation, takeover: reasonFor(row, now - since, times) }
}

function reasonFor(
  { owner, isSessionEnded }: LeaseRow,
  unchangedMs: number,
  { endedMs, silentMs }: LeaseTimes,
): TakeoverReason | null {
  if (owner === null) return 'released'
  if (isSessionEnded && unchangedMs >= endedMs) return 'session-ended'
  return unchangedMs >= silentMs ? 'silent' : null
}
