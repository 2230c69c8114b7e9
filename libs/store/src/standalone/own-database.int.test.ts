/**
 * One `standalone` a database: who waits gets it when its owner lets go, dies or stands still, and
 * what the former owner does afterwards changes nothing.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { type PostgresLink, openPostgresLink } from '@posthorn/testing/postgres-link'
import { isUnavailable, openPool, type Pool } from '../pool.ts'
import { openPrisma } from '../prisma.ts'
import { readLease, renewLease } from './lease-row.ts'
import type { LeaseTimes } from './observe-lease.ts'
import { type OwnDatabaseConfig, type OwnedDatabase, ownDatabase } from './own-database.ts'

/** Much shorter than in life, where the pipeline's leases have to end meanwhile. */
const QUICK: LeaseTimes = { endedMs: 1_500, silentMs: 4_000, maxGapMs: 2_000 }
/** Only the end of its session gives an owner away. */
const SESSIONS: LeaseTimes = { ...QUICK, silentMs: 60_000 }
/** Only its silence does: its driver may end a session that nothing comes from. */
const SILENCE: LeaseTimes = { ...QUICK, endedMs: 60_000 }
/** Nobody is to be taken over because this machine is busy. */
const PATIENT: LeaseTimes = { endedMs: 60_000, silentMs: 60_000, maxGapMs: 60_000 }

let database: TestDatabase
let link: PostgresLink
let direct: Pool
let usurped: string[]
let undo: (() => unknown)[]
beforeEach(async () => {
  database = await createTestDatabase()
  link = await openPostgresLink(new URL(database.url))
  direct = openPool({ url: database.url, max: 4, name: 'test', onError() {} })
  await direct.query('CREATE TABLE written (what text)')
  usurped = []
  undo = []
})
afterEach(async () => {
  for (const each of undo.toReversed()) await each()
  await direct.end()
  await link.close()
  await database.drop()
})

async function take(
  name: string,
  config: Partial<OwnDatabaseConfig> = {},
  signal = new AbortController().signal,
): Promise<OwnedDatabase | null> {
  const owned = await ownDatabase(
    { databaseUrl: database.url, whenOwned: 'wait', times: QUICK, ...config },
    { onWait() {}, onUsurped: () => void usurped.push(name), onError() {}, signal },
  )
  if (owned !== null) undo.push(owned.release)
  return owned
}

async function taken(name: string, config?: Partial<OwnDatabaseConfig>): Promise<OwnedDatabase> {
  const owned = await take(name, config)
  if (owned === null) throw new Error(`${name} did not get the database`)
  return owned
}

function poolOf({ fence }: OwnedDatabase, url = database.url): Pool {
  const pool = openPool({ url, max: 2, name: 'owner', onError() {}, fence })
  undo.push(() => pool.end())
  return pool
}

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'written',
    (error: unknown) => error,
  )

async function written(): Promise<string[]> {
  const { rows } = await direct.query<{ what: string }>('SELECT what FROM written ORDER BY 1')
  return rows.map(({ what }) => what)
}

test('one has it at a time: another is refused, or waits, or gets it when it is let go', async () => {
  const first = await taken('first', { times: PATIENT })
  expect(await take('second', { whenOwned: 'refuse', times: PATIENT })).toBeNull()
  const impatient = new AbortController()
  const waiting = take('third', { times: PATIENT }, impatient.signal)
  impatient.abort()
  expect(await waiting).toBeNull()
  const next = taken('fourth', { times: PATIENT })
  await first.release()
  expect(await next).toMatchObject({ reason: 'released' })
  expect(usurped).toEqual([])
})

test('of several that wait one gets it', async () => {
  const first = await taken('first', { times: PATIENT })
  const ending = new AbortController()
  const waiting = ['a', 'b', 'c'].map((name) => take(name, { times: PATIENT }, ending.signal))
  await first.release()
  expect(await Promise.any(waiting)).toMatchObject({ reason: 'released' })
  ending.abort()
  const all = await Promise.all(waiting)
  expect(all.filter((one) => one !== null)).toHaveLength(1)
})

test('the data directory of an embedded Postgres is taken at once', async () => {
  await taken('first', { databaseUrl: link.url, times: PATIENT })
  link.swallow()
  expect(await taken('second', { whenOwned: 'take', times: PATIENT })).toMatchObject({
    reason: 'taken',
  })
})

test('an owner that is cut off loses it; what it had open is undone, and nothing more is admitted', async () => {
  const first = await taken('first', { databaseUrl: link.url, times: SESSIONS })
  const [pool, prisma] = [poolOf(first, link.url), openPrisma(link.url, 1, { fence: first.fence })]
  undo.push(() => prisma.$disconnect())
  expect(await prisma.tenant.count()).toBe(0)
  const open = await pool.connect()
  await open.query("BEGIN; INSERT INTO written VALUES ('open')")
  // Only the session that renews it is gone: the open transaction is not. It must not find a new
  // connection before there is none to be had.
  link.cutNew()
  const { rowCount } = await direct.query(
    `SELECT pg_terminate_backend(session_pid) FROM standalone_lease`,
  )
  expect(rowCount).toBe(1)
  const second = await taken('second', { times: SESSIONS })
  expect(second.reason).toBe('session-ended')
  expect(first.fence.isOpen()).toBe(true)
  expect(await failure(open.query('COMMIT'))).toBeInstanceOf(Object)
  open.release(true)
  link.repair()
  const late = await failure(pool.query("INSERT INTO written VALUES ('late')"))
  expect(isUnavailable(late)).toBe(true)
  expect(await failure(prisma.tenant.deleteMany())).toBeInstanceOf(Object)
  await eventually(() => expect(usurped).toEqual(['first']))
  await poolOf(second).query("INSERT INTO written VALUES ('second')")
  expect(await written()).toEqual(['second'])
})

test('an owner that stands still, whose session does not end, loses it later and ceases before', async () => {
  const first = await taken('first', { databaseUrl: link.url })
  const pool = poolOf(first)
  await pool.query("INSERT INTO written VALUES ('first')")
  link.swallow()
  const waiting = taken('second', { times: SILENCE })
  await eventually(() => expect(first.fence.isOpen()).toBe(false))
  // Its own connections are well; it does not use them any more.
  expect(isUnavailable(await failure(pool.query("INSERT INTO written VALUES ('late')")))).toBe(true)
  expect((await waiting).reason).toBe('silent')
  link.repair()
  await eventually(() => expect(usurped).toEqual(['first']))
  expect(await written()).toEqual(['first'])
})

test('one that only lost its connection keeps it', async () => {
  const first = await taken('first', { databaseUrl: link.url, times: PATIENT })
  const pool = poolOf(first, link.url)
  const renewals = async (): Promise<number> => {
    const { rows } = await direct.query<{ renewals: number }>(
      'SELECT renewals FROM standalone_lease',
    )
    return rows[0]?.renewals ?? 0
  }
  link.cut()
  link.repair()
  const before = await renewals()
  await eventually(async () => expect(await renewals()).toBeGreaterThan(before + 1))
  await eventually(async () => await pool.query("INSERT INTO written VALUES ('first')"))
  expect(usurped).toEqual([])
})

test('where a session is not one of Postgres, its end proves nothing', async () => {
  await taken('first')
  await eventually(async () => {
    const { rows } = await direct.query('SELECT session_pid AS pid FROM standalone_lease')
    expect(rows).toEqual([{ pid: expect.any(Number) }])
  })
  // As behind PgBouncer: the client is told another number than Postgres's own.
  const renewing = openPool({ url: database.url, max: 1, name: 'test', onError() {} })
  undo.push(() => renewing.end())
  renewing.on('connect', (client) => Object.assign(client, { processID: 1 }))
  const { rows } = await direct.query('SELECT epoch, owner FROM standalone_lease')
  expect(await renewLease(renewing, rows[0].epoch, rows[0].owner)).toBe(true)
  expect(await readLease(direct)).toMatchObject({ isSessionEnded: false })
  const { rows: sessions } = await direct.query('SELECT session_pid AS pid FROM standalone_lease')
  expect(sessions).toEqual([{ pid: null }])
})
