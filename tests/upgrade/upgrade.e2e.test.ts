/**
 * An upgrade and its roll back, under load, with the services of the version before and of this one
 * side by side on one Postgres, Redis and Kafka. What it shows:
 *
 * - the migrations of this version run while the version before serves;
 * - both versions work on the new schema and read each other's messages, whoever came first: the
 *   new one joins the old, and the old one joins the new, as after a change of mind;
 * - nothing is lost or out of order, no request is refused, and the tables agree afterwards.
 *
 * The load is that of the chaos runs: endpoints that are slow, failing, dead, in FIFO lanes and
 * polled. In the long form the two ways come twice.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { isLongForm } from '@posthorn/testing/long-form'
import { checkStore, findDead } from '../chaos/check-store.ts'
import { type LoadProcess, startLoad } from '../chaos/load-process.ts'
import type { LoadReport } from '../chaos/load/protocol.ts'
import { createTargets } from '../chaos/targets.ts'
import { type Fleet, type Side, startFleet } from './fleet.ts'
import { migrationsOf, testWithVersionBefore, type VersionBefore } from './version-before.ts'

const TIMEOUT_MS = isLongForm ? 900_000 : 400_000
const ROUNDS = isLongForm ? 2 : 1
/** What two processors keep up with while seven processes start on them. */
const PER_SECOND = 50
/** Each process of both versions does so much of the work while they are side by side. */
const EACH_DOES = 20
const TOGETHER_MS = 90_000
const SETTLED_MS = 90_000
const LOOK_MS = 250
/** Pages that read what both versions write. */
const LOOKS = ['/ready', '/api/v1/endpoints', '/api/v1/events?limit=5', '/api/v1/projects']

testWithVersionBefore(
  'upgrade and roll back under load: nothing is lost, and no request is refused',
  async (version) => {
    const load = await startLoad()
    const fleet = await startFleet(version, load.port).catch(async (error: unknown) => {
      await load.stop()
      throw error
    })
    try {
      await upgradeAndBack(version, fleet, load)
    } catch (error) {
      const log = await readFile(fleet.logPath, 'utf8')
      const wrong = log.split('\n').filter((line) => /"level":"(error|fatal)"|Error:/.test(line))
      process.stderr.write(`${wrong.slice(-20).join('\n')}\n`)
      throw error
    } finally {
      await fleet.stop()
      await load.stop()
    }
  },
  TIMEOUT_MS,
)

async function upgradeAndBack(
  version: VersionBefore,
  fleet: Fleet,
  load: LoadProcess,
): Promise<void> {
  await fleet.migrate('before')
  await fleet.join('before')
  const targets = await createTargets(fleet)
  const { url, apiKey } = fleet
  await load.send({
    type: 'begin',
    round: `upgrade-${Date.now().toString(36)}`,
    url,
    apiKey,
    targets,
    perSecond: PER_SECOND,
  })
  const looks = lookAround(fleet)
  try {
    await takeAllTurns(version, fleet, load)
  } finally {
    await looks.end()
  }
  expect({ unwell: looks.unwell, ended: fleet.supervisorLines }).toEqual({ unwell: [], ended: [] })
}

async function takeAllTurns(
  version: VersionBefore,
  fleet: Fleet,
  load: LoadProcess,
): Promise<void> {
  await moreEvents(load, 2 * PER_SECOND)

  const plan = await fleet.migrate('now', '--plan')
  const ran = await fleet.migrate('now')
  const added = await pendingAfter(version, fleet)
  for (const name of added) expect([plan, ran]).toEqual(both(expect.stringContaining(name)))
  if (added.length > 0) expect(plan).toContain('The version before can go on during and after')
  await moreEvents(load, 2 * PER_SECOND)

  for (let round = 1; round <= ROUNDS; round += 1) {
    await takeTurns('before', 'now', fleet, load)
    // From here on what failed is delivered, by another version than the one that failed.
    if (round === ROUNDS) await load.send({ type: 'misbehave', on: false })
    await takeTurns('now', 'before', fleet, load)
  }
  const report = await settle(fleet, load)
  process.stderr.write(
    `upgrade from ${version.name} and back, ${ROUNDS} x: ${report.accepted.length} accepted, ` +
      `${report.repeats.length} repeated, ${added.length} migrations under load\n`,
  )
}

function both<Value>(value: Value): [Value, Value] {
  return [value, value]
}

/** The migrations that the version before does not have. All of them have run by now. */
async function pendingAfter(version: VersionBefore, { pool }: Fleet): Promise<string[]> {
  const known = migrationsOf(version)
  const { rows } = await pool.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  )
  return rows.map(({ name }) => name).filter((name) => !known.includes(name))
}

/** The others join, both work side by side, and those who were there leave. */
async function takeTurns(leaving: Side, joining: Side, fleet: Fleet, load: LoadProcess) {
  await fleet.join(joining)
  const before = {
    [leaving]: await fleet.counted(leaving),
    [joining]: await fleet.counted(joining),
  }
  await eventually(
    async () => {
      for (const side of [leaving, joining])
        for (const [service, count] of Object.entries(await fleet.counted(side))) {
          const done = count - (before[side]?.[service] ?? 0)
          if (done < EACH_DOES) throw new Error(`${service} of ${side} has done ${done}`)
        }
    },
    { timeoutMs: TOGETHER_MS, everyMs: 100 },
  )
  await fleet.leave(leaving)
  await moreEvents(load, PER_SECOND)
}

async function moreEvents(load: LoadProcess, many: number): Promise<void> {
  const wanted = (await load.status()).accepted + many
  await eventually(async () => (await load.status()).accepted >= wanted, {
    timeoutMs: TOGETHER_MS,
    everyMs: 100,
  })
}

/** Reads each page again and again beside the load, the next time when it has been answered. */
function lookAround({ call }: Fleet): { unwell: string[]; end(): Promise<void> } {
  const unwell: string[] = []
  const ended = new AbortController()
  async function readAgain(path: string): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const { status, body } = await call('GET', path)
        if (status !== 200) unwell.push(`${path}: ${status} ${JSON.stringify(body)}`)
      } catch (error) {
        unwell.push(`${path}: ${String(error)}`)
      }
      await setTimeout(LOOK_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const reading = LOOKS.map(readAgain)
  return {
    unwell,
    async end() {
      ended.abort()
      await Promise.all(reading)
    },
  }
}

/** Everything has arrived or is dead for a reason, and the tables agree. */
async function settle({ pool }: Fleet, load: LoadProcess): Promise<LoadReport> {
  await load.send({ type: 'stop-sending' })
  await eventually(
    async () => {
      const { outstanding, open } = await load.status()
      const ids = await findDead(pool, outstanding)
      if (ids.length > 0) await load.send({ type: 'dead', ids })
      expect({ open, lost: outstanding.filter((id) => !ids.includes(id)) }).toEqual({
        open: 0,
        lost: [],
      })
    },
    { timeoutMs: SETTLED_MS, everyMs: LOOK_MS },
  )
  const report = await load.report()
  await load.send({ type: 'end' })
  const refused = Object.values(report.phases).map(({ unavailable, unexpected, noAnswer }) => ({
    unavailable,
    unexpected,
    noAnswer,
  }))
  const none = { unavailable: 0, unexpected: [], noAnswer: 0 }
  expect(refused).toEqual([none, none, none])
  expect(report.outOfOrder).toEqual([])
  await eventually(async () => expect(await checkStore(pool, report.accepted)).toEqual([]), {
    timeoutMs: SETTLED_MS,
    everyMs: LOOK_MS,
  })
  return report
}
