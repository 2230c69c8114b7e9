import { describe, expect, test } from '@jest/globals'
import { createUsageCounts, type UsageTotal } from './usage-counts.ts'

/** Rows of Postgres by process, tenant and day, as the statement writes them. */
function createRows() {
  const rows = new Map<string, UsageTotal>()
  return {
    rows,
    write(process: string, totals: readonly UsageTotal[]) {
      for (const total of totals) {
        const key = `${process} ${total.tenantId} ${total.day}`
        const before = rows.get(key)
        rows.set(key, {
          ...total,
          events: Math.max(before?.events ?? 0, total.events),
          attempts: Math.max(before?.attempts ?? 0, total.attempts),
        })
      }
    },
    sum(tenantId: string, day: number) {
      const own = [...rows.values()].filter((row) => row.tenantId === tenantId && row.day === day)
      return {
        events: own.reduce((total, { events }) => total + events, 0),
        attempts: own.reduce((total, { attempts }) => total + attempts, 0),
      }
    },
  }
}

function createNames(): () => string {
  let names = 0
  return () => `process ${++names}`
}

test('what has not grown since is not written again', () => {
  const counts = createUsageCounts()
  counts.add('events', 'a', 1)
  counts.add('attempts', 'a', 1)
  counts.add('events', 'b', 1)
  const totals = counts.changed()
  expect(totals).toEqual([
    { tenantId: 'a', day: 1, events: 1, attempts: 1 },
    { tenantId: 'b', day: 1, events: 1, attempts: 0 },
  ])
  counts.add('events', 'b', 1)
  counts.written(totals)
  expect(counts.changed().map(({ tenantId }) => tenantId)).toEqual(['b'])
})

test('a statement that was done but not answered counts nothing twice', () => {
  const stored = createRows()
  const counts = createUsageCounts()
  counts.add('events', 'a', 1)
  stored.write(counts.process(), counts.changed())
  counts.add('events', 'a', 1)
  const totals = counts.changed()
  stored.write(counts.process(), totals)
  counts.written(totals)
  expect(stored.sum('a', 1)).toEqual({ events: 2, attempts: 0 })
})

describe.each([1, 3, 1_000])('with room for %d totals', (room) => {
  test('what is written adds up, over days, tenants and failures', () => {
    const stored = createRows()
    const counts = createUsageCounts(room, createNames())
    const counted = new Map<string, { events: number; attempts: number }>()
    let seed = 7
    const below = (bound: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % bound
    }
    for (let step = 0; step < 5_000; step += 1) {
      const day = Math.floor(step / 1_000) + below(2)
      const tenantId = `t${below(5)}`
      const what = below(2) === 0 ? 'events' : 'attempts'
      counts.add(what, tenantId, day)
      const key = `${tenantId} ${day}`
      const total = counted.get(key) ?? { events: 0, attempts: 0 }
      total[what] += 1
      counted.set(key, total)
      if (below(10) > 0) continue
      const totals = counts.changed()
      const isDone = below(3) > 0
      if (isDone) stored.write(counts.process(), totals)
      // Something is counted while the statement is under way.
      counts.add(what, tenantId, day)
      total[what] += 1
      if (isDone && below(4) > 0) counts.written(totals)
    }
    const totals = counts.changed()
    stored.write(counts.process(), totals)
    counts.written(totals)
    expect(counts.changed()).toEqual([])
    for (const [key, total] of counted) {
      const [tenantId, day] = key.split(' ') as [string, string]
      expect([key, stored.sum(tenantId, Number(day))]).toEqual([key, total])
    }
  })
})

test('totals of former days are not kept', () => {
  const counts = createUsageCounts(1_000, createNames())
  for (let day = 1; day <= 3; day += 1) {
    counts.add('events', 'a', day)
    counts.written(counts.changed())
  }
  // Under a new name the total of a former day begins anew.
  expect(counts.process()).toBe('process 3')
  counts.add('events', 'a', 1)
  expect(counts.changed()).toEqual([{ tenantId: 'a', day: 1, events: 1, attempts: 0 }])
})
