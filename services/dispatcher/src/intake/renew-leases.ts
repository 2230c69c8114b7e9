/**
 * Keeps what this process has leased: attempts that last are marked as begun, and every lease is
 * renewed before a third of it is left, many in one statement. What does not come back has been
 * taken over: its attempt goes on, and its result is recorded only if it is the first.
 */
import type { Log } from '@posthorn/runtime/log'
import type { Claim, StateStore } from '@posthorn/state/state-store'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import type { LeasedRow } from '@posthorn/store/pipeline/renew-leases'
import type { LeasedDelivery } from '../delivery.ts'
import type { InFlightSet } from '../in-flight-set.ts'
import type { Mutex } from '@posthorn/async/mutex'
import type { Statements } from '../statements.ts'

export interface RenewLeasesDeps {
  inFlight: InFlightSet
  /** Those that this process serves, `backlog/serve-backlogs.ts`. */
  backlogs: { served(): Iterable<OwnedBacklog>; lost(backlog: OwnedBacklog): void }
  state: Pick<StateStore, 'renew'>
  statements: Pick<Statements, 'beginAttempts' | 'renewLeases'>
  mutex: Mutex
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  log: Pick<Log, 'warn'>
}

export interface RenewLeases {
  /** Marks attempts that last as begun, those that are still under way. */
  begin(lasting: readonly LeasedDelivery[]): Promise<void>
  /** Called every second. */
  renew(): Promise<void>
}

/** A lease of 10 s is renewed 3 s after it was given, so that two renewals may fail. */
const RENEW_BELOW_MS = 7_000
const CLAIM_TTL_MS = 10_000

/**
 * Joined, not concatenated: a concatenated string stays in pieces, which take three times the
 * memory for as long as it is kept.
 */
export function claimKey(deliveryId: string, token: number): string {
  return ['claim', deliveryId, token].join(':')
}

export function createRenewLeases(deps: RenewLeasesDeps): RenewLeases {
  const { inFlight, backlogs, statements, mutex, log } = deps

  async function begin(lasting: readonly LeasedDelivery[]): Promise<void> {
    await mutex(async () => {
      // Some have ended while this waited for the mutex.
      const sending = lasting.filter(({ phase, lost }) => phase === 'sending' && !lost)
      if (sending.length === 0) return
      const askedAt = deps.now()
      keep(sending, await statements.beginAttempts(sending.map(leasedRow)), askedAt)
    })
  }

  async function renew(): Promise<void> {
    const renewed = await mutex(async () => {
      const before = (deps.databaseNow() + RENEW_BELOW_MS) * 1_000
      const due = [...inFlight.values()].filter((one) => isKept(one) && one.token < before)
      const dueBacklogs = [...backlogs.served()].filter(({ token }) => token < before)
      if (due.length + dueBacklogs.length === 0) return []
      const backlogRows = dueBacklogs.map(({ tenantId, targetId: id, token }) => ({
        tenantId,
        id,
        token,
      }))
      const askedAt = deps.now()
      const tokens = await statements.renewLeases([...due.map(leasedRow), ...backlogRows])
      keep(due, tokens, askedAt)
      for (const backlog of dueBacklogs) {
        const token = tokens.get(backlog.targetId)
        if (token === undefined) backlogs.lost(backlog)
        else backlog.token = token
      }
      return due
    })
    const claims = renewed.flatMap(({ claimedToken, lost, message }): Claim[] =>
      claimedToken === null || lost
        ? []
        : [{ key: claimKey(message.deliveryId, claimedToken), ttlMs: CLAIM_TTL_MS }],
    )
    if (claims.length > 0) await deps.state.renew(claims)
  }

  function keep(
    asked: readonly LeasedDelivery[],
    tokens: ReadonlyMap<string, number>,
    askedAt: number,
  ): void {
    for (const delivery of asked) {
      const token = tokens.get(delivery.message.deliveryId)
      if (token !== undefined) {
        delivery.token = token
        delivery.leasedUntil = askedAt + LEASE_MS
      } else {
        delivery.lost = true
        const { tenantId, eventId, deliveryId } = delivery.message
        log.warn('delivery.lease-lost', { tenantId, eventId, deliveryId, phase: delivery.phase })
      }
    }
  }

  return { begin, renew }
}

/** A leaving delivery is written by a statement of its own. */
function isKept({ lost, phase }: LeasedDelivery): boolean {
  return !lost && phase !== 'leaving' && phase !== 'admitted'
}

function leasedRow({ message, token }: LeasedDelivery): LeasedRow {
  const { tenantId, deliveryId: id, eventId } = message
  return { tenantId, id, eventId, token }
}
