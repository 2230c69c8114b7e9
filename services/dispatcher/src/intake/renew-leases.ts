/**
 * Keeps what this process has: tries that last are marked as begun, and every lease is renewed before a third of it is
 * left, many in one statement. What does not come back has been taken over; its try goes on, and its result is recorded
 * only if it is the first.
 */
import type { Log } from '@posthorn/runtime/log'
import type { Claim } from '@posthorn/state/state-store'
import { LEASE_MS } from '@posthorn/store/pipeline/lease'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import type { LeasedRow } from '@posthorn/store/pipeline/renew-leases'
import type { AttemptAges } from '../schedule/attempt-ages.ts'
import type { Mutex } from '../mutex.ts'
import type { Windows } from '../schedule/windows.ts'
import type { LeasedDelivery, DeliveriesById } from '../delivery.ts'

export interface RenewLeasesDeps {
  inFlight: DeliveriesById
  ages: AttemptAges<LeasedDelivery>
  windows: Pick<Windows, 'sawSlow'>
  backlogs(): Iterable<OwnedBacklog>
  lostBacklog(backlog: OwnedBacklog): void
  beginTries(held: LeasedRow[]): Promise<Map<string, number>>
  renewLeases(held: LeasedRow[]): Promise<Map<string, number>>
  renewClaims(claims: Claim[]): Promise<void>
  turns: Mutex
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
  log: Pick<Log, 'warn'>
}

export interface RenewLeases {
  /** Ages of tries; called every 100 ms. False: there is none to look at. */
  look(): Promise<boolean>
  /** Called every second. */
  renew(): Promise<void>
}

/** Of 10 s: renewed 3 s after it was given, so that two renewals may fail. */
const RENEW_BELOW_MS = 7_000
const CLAIM_TTL_MS = 10_000

/** Joined, not concatenated: what is concatenated stays in pieces, which are three times as large for as long as it is kept. */
export function claimKey(deliveryId: string, token: number): string {
  return ['claim', deliveryId, token].join(':')
}

export function createRenewLeases(deps: RenewLeasesDeps): RenewLeases {
  const { inFlight: works, log } = deps

  async function look(): Promise<boolean> {
    const now = deps.now()
    const { lasting, slow } = deps.ages.tick(now)
    for (const work of slow) if (work.slot !== null) deps.windows.sawSlow(work.slot, now)
    if (lasting.length > 0) await begin(lasting)
    return deps.ages.some()
  }

  async function begin(lasting: readonly LeasedDelivery[]): Promise<void> {
    await deps.turns(async () => {
      // Some have ended while this waited for its turn.
      const sending = lasting.filter((work) => work.phase === 'sending' && !work.lost)
      if (sending.length === 0) return
      const askedAt = deps.now()
      take(sending, await deps.beginTries(sending.map(heldOf)), askedAt)
    })
  }

  async function renew(): Promise<void> {
    const claimed = await deps.turns(async () => {
      const before = (deps.databaseNow() + RENEW_BELOW_MS) * 1_000
      const due = [...works.values()].filter((work) => isKept(work) && work.token < before)
      const backlogs = [...deps.backlogs()].filter((backlog) => backlog.token < before)
      if (due.length + backlogs.length === 0) return []
      const held = backlogs.map(({ tenantId, targetId: id, token }) => ({ tenantId, id, token }))
      const askedAt = deps.now()
      const tokens = await deps.renewLeases([...due.map(heldOf), ...held])
      take(due, tokens, askedAt)
      for (const backlog of backlogs) {
        const token = tokens.get(backlog.targetId)
        if (token === undefined) deps.lostBacklog(backlog)
        else backlog.token = token
      }
      return due
    })
    const claims = claimed.flatMap(({ claimedToken, lost, message }): Claim[] =>
      claimedToken === null || lost
        ? []
        : [{ key: claimKey(message.deliveryId, claimedToken), ttlMs: CLAIM_TTL_MS }],
    )
    if (claims.length > 0) await deps.renewClaims(claims)
  }

  function take(
    asked: readonly LeasedDelivery[],
    tokens: ReadonlyMap<string, number>,
    askedAt: number,
  ): void {
    for (const work of asked) {
      const token = tokens.get(work.message.deliveryId)
      if (token !== undefined) Object.assign(work, { token, heldUntil: askedAt + LEASE_MS })
      else {
        work.lost = true
        const { tenantId, eventId, deliveryId } = work.message
        log.warn('delivery.lease-lost', { tenantId, eventId, deliveryId, phase: work.phase })
      }
    }
  }

  return { look, renew }
}

/** What is leaving is written by its own statement. */
function isKept(work: LeasedDelivery): boolean {
  return !work.lost && work.phase !== 'leaving' && work.phase !== 'admitted'
}

function heldOf(work: LeasedDelivery): LeasedRow {
  const { tenantId, deliveryId: id, eventId } = work.message
  return { tenantId, id, eventId, token: work.token }
}
