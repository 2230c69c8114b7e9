/** Whether a delivery may go, from what is known of its tenant. Pure. */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { TenantConfig, ResolvedTarget } from './tenant-config.ts'
import type { LeasedDelivery } from '../delivery.ts'

export type Admission =
  | { outcome: 'send'; way: ResolvedTarget }
  /** It waits parked at its target and uses up no attempt. */
  | { outcome: 'hold'; targetId: string }
  | { outcome: 'cancel'; reason: string }
  /** The endpoint may be newer than what we know: read again, then it is gone. */
  | { outcome: 'unknown' }

/** @param fresh the tenant was read after the delivery was announced */
export function decideAdmission(
  message: Pick<DueDelivery, 'endpointId' | 'destination'>,
  tenant: TenantConfig | null,
  fresh: boolean,
): Admission {
  const { endpointId, destination } = message
  if (tenant === null)
    return fresh ? { outcome: 'cancel', reason: 'tenant deleted' } : { outcome: 'unknown' }
  if (endpointId === null) {
    if (destination === null) return { outcome: 'cancel', reason: 'no destination' }
    return { outcome: 'send', way: tenant.direct(destination) }
  }
  const entry = tenant.endpoints.get(endpointId)
  if (entry === undefined && !fresh) return { outcome: 'unknown' }
  if (entry === undefined || entry.target === null)
    return { outcome: 'cancel', reason: 'endpoint deleted' }
  if (entry.status !== 'active') return { outcome: 'hold', targetId: endpointId }
  return { outcome: 'send', way: entry.target }
}

export type TakeBy = { by: 'claim' | 'claim, then renewal'; ttlMs: number } | { by: 'renewal' }

/**
 * How we may take a delivery on: its token is the right to act until it ends. A lane's head only by Postgres's leave: the
 * state store fails open, and then two would have it. What has waited for long is claimed and then asked for as well: by
 * its claim alone, whoever reads it again once the token has ended would be given it too.
 * @param now Postgres's time in ms
 */
export function takeBy(token: number, now: number, lane: string | null = null): TakeBy {
  const leftMs = token / 1_000 - now
  // By then the claim of whoever was first may have ended as well.
  if (lane !== null || leftMs <= -CLOCK_SLACK_MS) return { by: 'renewal' }
  const ttlMs = Math.ceil(leftMs + CLOCK_SLACK_MS)
  return { by: leftMs < RENEWED_WITHIN_MS ? 'claim, then renewal' : 'claim', ttlMs }
}

/**
 * With less left than this the token could end before our first renewal has come to Postgres: a second at most until it is
 * asked for, and four for a process that has just started and is behind.
 */
export const RENEWED_WITHIN_MS = 5_000
/** A claim outlives its token by this, for an instance whose clock is behind. */
const CLOCK_SLACK_MS = 5_000

/**
 * Asked just before the bytes go out. A lane's head whose lease may have ended is left to whoever has it now: it could be
 * delivered already, and the next one with it. The process's own clock counts, from before the lease was asked for.
 */
export function mayStillSend(
  { message, lost, heldUntil }: Pick<LeasedDelivery, 'message' | 'lost' | 'heldUntil'>,
  now: number,
): boolean {
  return message.lane === null || (!lost && now < heldUntil)
}
