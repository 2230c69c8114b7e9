/**
 * Only one `standalone` may work on a database: its bus and its state live in its process. A row
 * says which; its owner renews it once a second, and whoever waits takes it over when its owner
 * has released it, has died, or stands still. docs/decisions/0026 tells why nothing that the former
 * owner does afterwards changes anything.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createTicker } from '@posthorn/async/ticker'
import type { Fence } from '../fence.ts'
import { openPool, type Pool } from '../pool.ts'
import {
  endSessions,
  isEpoch,
  type LeaseRow,
  readLease,
  releaseLease,
  renewLease,
  takeLease,
} from './lease-row.ts'
import {
  LEASE_TIMES,
  type LeaseObservation,
  type LeaseTimes,
  observeLease,
  type TakeoverReason,
} from './observe-lease.ts'

export interface OwnDatabaseConfig {
  databaseUrl: string
  /**
   * What to do while another owns it. wait: for as long as it takes. refuse: give up as soon as
   * it is seen to be alive. take: nobody else can be alive.
   */
  whenOwned: 'wait' | 'refuse' | 'take'
  times?: LeaseTimes
}

export interface OwnDatabaseDeps {
  /** Called while it waits, when the reason why changes. */
  onWait(reason: string): void
  /** Another has taken the database: this process must end. */
  onUsurped(): void
  onError(error: unknown): void
  /** Ends the waiting. */
  signal: AbortSignal
}

export interface OwnedDatabase {
  fence: Fence
  /** taken: it was asked to, whoever owned it. */
  reason: TakeoverReason | 'taken'
  /** Whether it was renewed lately, so that hardly anybody else can own the database. */
  isRenewed(): boolean
  release(): Promise<void>
}

const NAME = 'posthorn standalone '
const LOOK_EVERY_MS = 250
const RENEW_EVERY_MS = 1_000
/** For so long a predecessor that is about to end may still renew. */
const REFUSE_AFTER_MS = 5_000
/** So much sooner than others may take over does an owner that cannot renew cease to write. */
const RESERVE_MS = 2_000
/** Five renewals. */
const RENEWED_MS = 5_000

/** @returns null when another owns it, or when the waiting was ended */
export async function ownDatabase(
  config: OwnDatabaseConfig,
  deps: OwnDatabaseDeps,
): Promise<OwnedDatabase | null> {
  const owner = randomBytes(8).toString('hex')
  const { databaseUrl, times = LEASE_TIMES } = config
  const open = (name: string): Pool =>
    openPool({ url: databaseUrl, max: 1, name, onError: deps.onError })
  const waiting = open('posthorn standby')
  try {
    const taken = await untilTaken(waiting, owner, { ...config, times }, deps)
    if (taken === null) return null
    const { epoch, reason, takenAt } = taken
    await endSessions(waiting, NAME, NAME + owner)
    const renewing = { pool: open(NAME + owner), epoch, owner, takenAt, times }
    return { ...startRenewing(renewing, deps), reason }
  } finally {
    await waiting.end()
  }
}

interface TakenLease {
  epoch: number
  reason: OwnedDatabase['reason']
  /** A time before it was taken, by this process's clock. */
  takenAt: number
}

async function untilTaken(
  pool: Pool,
  owner: string,
  { whenOwned, times }: OwnDatabaseConfig & { times: LeaseTimes },
  { onWait, signal }: OwnDatabaseDeps,
): Promise<TakenLease | null> {
  const startedAt = performance.now()
  let first: LeaseRow | undefined
  let observation: LeaseObservation | undefined
  let said = ''
  const say = (reason: string): void => {
    if (reason !== said) onWait(reason)
    said = reason
  }
  while (!signal.aborted) {
    const lookedAt = performance.now()
    try {
      const row = await readLease(pool)
      const look = observeLease(observation, row, performance.now(), times)
      const reason = look.takeover ?? (whenOwned === 'take' ? 'taken' : null)
      const takenAt = performance.now()
      const epoch = reason === null ? null : await takeLease(pool, row, owner)
      if (epoch !== null && reason !== null) return { epoch, reason, takenAt }
      ;({ observation } = look)
      first ??= row
      const isAlive = row.epoch !== first.epoch || row.renewals !== first.renewals
      if (whenOwned === 'refuse' && isAlive && takenAt - startedAt > REFUSE_AFTER_MS) return null
      say('another instance works on the database')
    } catch (error) {
      if (whenOwned !== 'wait') throw error
      observation = undefined
      say('the database cannot be reached')
    }
    const restMs = Math.max(0, LOOK_EVERY_MS - (performance.now() - lookedAt))
    await pause(restMs, undefined, { signal }).catch(() => {})
  }
  return null
}

interface RenewingConfig extends Pick<TakenLease, 'epoch' | 'takenAt'> {
  pool: Pool
  owner: string
  times: LeaseTimes
}

function startRenewing(
  { pool, epoch, owner, takenAt, times }: RenewingConfig,
  { onUsurped, onError }: OwnDatabaseDeps,
): Omit<OwnedDatabase, 'reason'> {
  const openForMs = times.silentMs - Math.min(RESERVE_MS, times.silentMs / 4)
  let renewedAt = takenAt
  const ticker = createTicker({ name: 'lease', everyMs: RENEW_EVERY_MS, onError }, async () => {
    const askedAt = performance.now()
    if (await renewLease(pool, epoch, owner)) {
      renewedAt = askedAt
      return
    }
    renewedAt = Number.NEGATIVE_INFINITY
    onUsurped()
  })
  ticker.start()
  async function release(): Promise<void> {
    await ticker.stop()
    await releaseLease(pool, epoch, owner).catch(onError)
    await pool.end()
  }
  let released: Promise<void> | undefined
  return {
    fence: {
      connectionName: NAME + owner,
      isOpen: () => performance.now() - renewedAt < openForMs,
      admits: async (client) => await isEpoch(client as Pick<Pool, 'query'>, epoch),
    },
    isRenewed: () => performance.now() - renewedAt < RENEWED_MS,
    release: () => (released ??= release()),
  }
}
