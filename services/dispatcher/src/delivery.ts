/** A delivery that this process has taken on: in memory until its result is recorded or somebody else has it. */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { ResolvedTarget } from './config/tenant-config.ts'
import type { Slot } from './schedule/windows.ts'

/**
 * admitted: ours, its way not known yet. waiting: for a slot. sending. unrecorded: the result is known, to us.
 * leaving: on its way to being parked or cancelled.
 */
export type Phase = 'admitted' | 'waiting' | 'sending' | 'unrecorded' | 'leaving'

export interface LeasedDelivery {
  message: DueDelivery
  /** Of its row in `due` as we last knew it. */
  token: number
  /** Under which it is claimed in the state store; null: taken from Postgres. */
  claimedToken: number | null
  phase: Phase
  /** Somebody else has it: it may be sent by both, and is recorded once. */
  lost: boolean
  /** ms of the process's own clock, as all below. */
  takenAt: number
  /** Of a lane's head: until then nobody else may send it. */
  heldUntil: number
  waitingSince: number
  target: ResolvedTarget | null
  /** It alone goes to an endpoint whose circuit is open, and decides what becomes of it. */
  probe: boolean
  slot: Slot | null
  /** Of its event, as the try under way has it; a message with a newer one may come meanwhile. */
  edition: number
  /** By `works.ts`; a newer message may have come since, of another size. */
  countedBytes: number
}

/** By delivery id. */
export type DeliveriesById = Pick<Map<string, LeasedDelivery>, 'get' | 'set' | 'delete' | 'values'>

export function newLeasedDelivery(
  message: DueDelivery,
  token: number,
  claimedToken: number | null,
  takenAt: number,
  heldUntil = Infinity,
): LeasedDelivery {
  return {
    message,
    token,
    claimedToken,
    phase: 'admitted',
    lost: false,
    takenAt,
    heldUntil,
    waitingSince: 0,
    target: null,
    probe: false,
    slot: null,
    edition: 0,
    countedBytes: 0,
  }
}

export function bytesOf(work: LeasedDelivery): number {
  return work.message.payload?.length ?? 0
}
