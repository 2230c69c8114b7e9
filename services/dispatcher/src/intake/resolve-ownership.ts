/**
 * Whose an announced delivery is: claimed while its token lasts, asked for in Postgres when it hardly does or when the
 * state store does not answer. It does not make sure that nobody else sends it: a claim may have been forgotten.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { Claim, StateStore } from '@posthorn/state/state-store'
import { LEASE_MS } from '@posthorn/store/pipeline/lease'
import type { LeasedRow } from '@posthorn/store/pipeline/renew-leases'
import { takeBy } from '../config/decide-admission.ts'
import { claimKey } from './renew-leases.ts'

export interface ResolveOwnershipDeps {
  claim: StateStore['claim']
  renewLeases(held: LeasedRow[]): Promise<Map<string, number>>
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

/** It is ours. */
export interface Owned extends Announced {
  token: number
  /** null: taken from Postgres. */
  claimedToken: number | null
  heldUntil?: number
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
      claims.length === 0 ? [] : deps.claim(claims),
      renew(expired),
    ])
    const claimed: Owned[] = []
    const asked: Announced[] = []
    claimable.forEach(({ one, late }, index) => {
      const isOurs = answers[index]
      // Where the state store does not answer Postgres does: it knows of what has been recorded or renewed since.
      if (isOurs === null || (isOurs === true && late)) asked.push(one)
      else if (isOurs === true) {
        const { token } = one.message
        claimed.push({ ...one, token, claimedToken: token })
      }
    })
    return [...claimed, ...renewed, ...(await renew(asked))]
  }

  /** Postgres not there: they are not ours. */
  async function renew(announced: readonly Announced[]): Promise<Owned[]> {
    const asked = newestOfEach(announced)
    if (asked.length === 0) return []
    const heldUntil = deps.now() + LEASE_MS
    try {
      const tokens = await deps.renewLeases(
        asked.map(({ message }) => ({
          tenantId: message.tenantId,
          id: message.deliveryId,
          token: message.token,
        })),
      )
      return asked.flatMap((one): Owned[] => {
        const token = tokens.get(one.message.deliveryId)
        return token === undefined ? [] : [{ ...one, token, claimedToken: null, heldUntil }]
      })
    } catch (error) {
      deps.log.warn('deliveries.not-taken', { deliveries: asked.length, error })
      return []
    }
  }
}

/**
 * Of several messages about one delivery the one announced last: what is renewed is known by the delivery alone, and an
 * older message would be sent with what the delivery was then.
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
