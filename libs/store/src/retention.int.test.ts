import { describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { startLoopTime } from '@posthorn/testing/loop-time'
import pg from 'pg'
import { ensurePartitions } from './partitions.ts'
import { applyRetention } from './retention.ts'
import {
  ALL,
  KEPT_DAYS,
  NONE,
  RULES,
  daysAgo,
  exists,
  fillDay,
  makeEvent,
  openRetentionStage,
  partitionOf,
  rowsOf,
  setDays,
  stage,
  tenant,
} from './retention.fixture.ts'
import { countRows, makeTenant } from './store.fixture.ts'

openRetentionStage()

describe('days that nobody keeps', () => {
  test('go as a whole, with their idempotency keys; those with an event that has not ended, or ended lately, stay', async () => {
    await ensurePartitions(stage.pool, daysAgo(39))
    const [old, open, lately] = [
      await makeEvent(40, 39),
      await makeEvent(39, null),
      await makeEvent(38, KEPT_DAYS - 1),
    ]
    const { dropped } = await applyRetention(stage.pool, new Date(), RULES)
    for (const table of ['events', 'deliveries', 'attempts'])
      expect(dropped).toContain(partitionOf(table, daysAgo(40)))
    expect(await rowsOf(old)).toEqual(NONE)
    expect(await rowsOf(open)).toEqual([1, 1, 0, 1])
    expect(await rowsOf(lately)).toEqual(ALL)
    expect(await exists(partitionOf('events', daysAgo(39)))).toBe(true)
    expect(await exists(partitionOf('attempts', daysAgo(38)))).toBe(true)
    expect(await exists(partitionOf('events', daysAgo(1)))).toBe(true)
  })

  test('are looked into as a whole, however many rows they have', async () => {
    await ensurePartitions(stage.pool, daysAgo(33))
    // A page has 5,000 rows; the event that has not ended is on the last one.
    for (const days of [33, 32]) await fillDay(days, 10_001)
    const open = await makeEvent(32, null)
    await stage.pool.query(`UPDATE events SET ended_at = NULL WHERE id = $1`, [open])
    const { dropped } = await applyRetention(stage.pool, new Date(), RULES)
    const [all, some] = [daysAgo(33), daysAgo(32)]
    for (const table of ['events', 'deliveries']) {
      expect(dropped).toContain(partitionOf(table, all))
      expect(dropped).not.toContain(partitionOf(table, some))
    }
    expect(await rowsOf(open)).toEqual([1, 1, 0, 1])
    expect(await countRows(stage.pool, partitionOf('events', some), 'true', [])).toBe(1)
  }, 60_000)

  test('stay while a tenant keeps what is in them for longer, or for ever', async () => {
    await ensurePartitions(stage.pool, daysAgo(24))
    const keeper = await makeTenant(stage.pool)
    await setDays(keeper, 0, 0)
    const [kept, gone] = [await makeEvent(24, 23, keeper), await makeEvent(24, 23)]
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toEqual([])
    expect(await rowsOf(kept)).toEqual(ALL)
    expect(await rowsOf(gone)).toEqual(NONE)
  })

  test('what a killed process had taken out goes with the next', async () => {
    await ensurePartitions(stage.pool, daysAgo(26))
    const name = partitionOf('events', daysAgo(26))
    await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toContain(name)
    expect(await exists(name)).toBe(false)
  })

  test('what was taken out and must stay is put back', async () => {
    await ensurePartitions(stage.pool, daysAgo(13))
    const open = await makeEvent(13, null)
    const name = partitionOf('events', daysAgo(13))
    await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
    expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).not.toContain(name)
    expect(await countRows(stage.pool, 'events', 'id = $1', [open])).toBe(1)
  })

  test.each(['attached', 'taken out'])(
    'one that a killed process has closed takes rows again when it is kept for longer: %s',
    async (how) => {
      await ensurePartitions(stage.pool, daysAgo(14))
      const ended = await makeEvent(14, 13)
      const name = partitionOf('events', daysAgo(14))
      await stage.pool.query(`CREATE TRIGGER closed BEFORE INSERT ON ${name}
        FOR EACH ROW EXECUTE FUNCTION refuse_row()`)
      await expect(makeEvent(14, null)).rejects.toMatchObject({ code: '23514' })
      if (how === 'taken out') await stage.pool.query(`ALTER TABLE events DETACH PARTITION ${name}`)
      await setDays(await makeTenant(stage.pool), 0, 0)
      expect((await applyRetention(stage.pool, new Date(), RULES)).dropped).toEqual([])
      expect(await countRows(stage.pool, name, 'id = $1', [ended])).toBe(0)
      expect(await countRows(stage.pool, 'events', 'id = $1', [await makeEvent(14, null)])).toBe(1)
    },
  )

  test('one that a long transaction reads waits for the next time, and nobody waits for it', async () => {
    await ensurePartitions(stage.pool, daysAgo(12))
    const name = partitionOf('events', daysAgo(12))
    const reader = new pg.Client({ connectionString: stage.url })
    await reader.connect()
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM events')
    const applied = applyRetention(stage.pool, new Date(), RULES)
    let ended = false
    void applied.then(() => (ended = true))
    let writes = 0
    let longestMs = 0
    while (!ended) {
      const elapsedMs = startLoopTime()
      await makeEvent(0, null)
      longestMs = Math.max(longestMs, elapsedMs())
      writes += 1
    }
    expect((await applied).dropped).not.toContain(name)
    expect(writes).toBeGreaterThan(1)
    expect(longestMs).toBeLessThan(2_000)
    await reader.query('COMMIT')
    await reader.end()
    await eventually(async () => {
      await applyRetention(stage.pool, new Date(), RULES)
      return !(await exists(name))
    })
  })
})

test('of two at once one does nothing', async () => {
  const client = new pg.Client({ connectionString: stage.url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock(461246132339)')
  await setDays(tenant, 1, 1)
  const id = await makeEvent(5, 4)
  await applyRetention(stage.pool, new Date(), RULES)
  expect(await rowsOf(id)).toEqual(ALL)
  await client.end()
})
