/**
 * Which of the announced deliveries are ours: a delivery is claimed while its token lasts, and
 * asked for in Postgres when the token hardly does or when the state store does not answer. This
 * does not make sure that nobody else sends a delivery too: a claim may have been forgotten.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Claim, StateStore } from '@posthorn/state/state-store'
import { LEASE_MS } from '@posthorn/store/pipeline/lease'
import type { Statements } from '../statements.ts'
import { claimKey } from './renew-leases.ts'

export interface ResolveOwnershipDeps {
  state: Pick<StateStore, 'claim'>
  statements: Pick<Statements, 'renewLeases'>
  /** ms of the process's clock. */
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  log: Pick<Log, 'warn'>
}

export interface Announced {
  message: DueDelivery
  /** When it was taken off its topic, in ms of the process's clock. */
  takenAt: number
}

/** An announced delivery that is ours. */
export interface Owned extends Announced {
  token: number
  /** null: taken from Postgres. */
  claimedToken: number | null
  leasedUntil?: number
}

export type ResolveOwnership = (batch: readonly Announced[]) => Promise<Owned[]>

export function createResolveOwnership(deps: ResolveOwnershipDeps): ResolveOwnership {
  return async (batch) => {
    const now = deps.databaseNow()
    const claims: Claim[] = []
    const claimable: { one: Announced; late: boolean }[] = []
    const expired: Announced[] = []
    for (const one of batch) {
      const { deliveryId, token, lane } = one.message
      const how = takeBy(token, now, lane)
      if (how.by === 'renewal') expired.push(one)
      else {
        claims.push({ key: claimKey(deliveryId, token), ttlMs: how.ttlMs })
        claimable.push({ one, late: how.by !== 'claim' })
      }
    }
    const [answers, renewed] = await Promise.all([
      claims.length === 0 ? [] : deps.state.claim(claims),
      renew(expired),
    ])
    const claimed: Owned[] = []
    const undecided: Announced[] = []
    claimable.forEach(({ one, late }, index) => {
      const isOurs = answers[index]
      // Where the state store does not answer, Postgres does: it knows what was recorded or renewed
      // since.
      if (isOurs === null || (isOurs === true && late)) undecided.push(one)
      else if (isOurs === true) {
        const { token } = one.message
        claimed.push({ ...one, token, claimedToken: token })
      }
    })
    return [...claimed, ...renewed, ...(await renew(undecided))]
  }

  /** While Postgres is away they are not ours. */
  async function renew(announced: readonly Announced[]): Promise<Owned[]> {
    const asked = newestOfEach(announced)
    if (asked.length === 0) return []
    const leasedUntil = deps.now() + LEASE_MS
    try {
      const tokens = await deps.statements.renewLeases(
        asked.map(({ message }) => ({
          tenantId: message.tenantId,
          id: message.deliveryId,
          token: message.token,
        })),
      )
      return asked.flatMap((one): Owned[] => {
        const token = tokens.get(one.message.deliveryId)
        return token === undefined ? [] : [{ ...one, token, claimedToken: null, leasedUntil }]
      })
    } catch (error) {
      deps.log.warn('deliveries.not-taken', { deliveries: asked.length, error })
      return []
    }
  }
}

export type TakeBy = { by: 'claim' | 'claim, then renewal'; ttlMs: number } | { by: 'renewal' }

/**
 * How we may take a delivery on: its token is the right to act until it ends. The head of a lane is
 * taken in Postgres only: the state store fails open, and then two would have it. A delivery that
 * has waited for long is claimed and then asked for as well: by its claim alone, whoever reads it
 * again once the token has ended would be given it too.
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
 * With less left than this the token could end before our first renewal has come to Postgres: a
 * second at most until it is asked for, and four for a process that has just started and is behind.
 */
export const RENEWED_WITHIN_MS = 5_000
/** A claim outlives its token by this, for an instance whose clock is behind. */
const CLOCK_SLACK_MS = 5_000

/**
 * The last announced of several messages about one delivery: a renewed row is known by its
 * delivery alone, and an older message would be sent with what the delivery was then.
 */
function newestOfEach(announced: readonly Announced[]): Announced[] {
  const newest = new Map<string, Announced>()
  for (const one of announced) {
    const other = newest.get(one.message.deliveryId)
    if (other === undefined || other.message.token < one.message.token)
      newest.set(one.message.deliveryId, one)
  }
  return [...newest.values()]
}
