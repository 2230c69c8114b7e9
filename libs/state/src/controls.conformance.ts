/**
 * What every state store must do for endpoints: circuits and rate limits. Keys are random, so that
 * runs may share a store.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { CircuitReport } from '@posthorn/domain/circuit'
import { eventually } from '@posthorn/testing/eventually'
import type { TokensGranted, TokensWanted } from './rate-bucket.ts'
import type { StateStore } from './state-store.ts'

const POLICY = { threshold: 3, resetMs: 60_000 }
/** Short enough for the test to see it end. */
const SHORT = { threshold: 1, resetMs: 60 }

function reportOf(signal: CircuitReport['signal'], isProbe = false): CircuitReport {
  return { signal, isProbe, durationMs: 0 }
}

export function controlsConformance(name: string, makeState: () => Promise<StateStore>): void {
  describe(`${name} as a store of circuits and rates`, () => {
    let state: StateStore
    let id: string
    beforeEach(async () => {
      state = await makeState()
      id = randomUUID()
    })
    afterEach(() => state.close())

    const fail = async () => await state.reportCircuit(id, reportOf('failure'), POLICY)

    test('opens a circuit after so many failures in a row, and tells one of those who report', async () => {
      await fail()
      await fail()
      await state.reportCircuit(id, reportOf('success'), POLICY)
      await state.reportCircuit(id, reportOf('nothing'), POLICY)
      const told = await Promise.all([fail(), fail(), fail(), fail(), fail()])
      expect(told.map(({ change }) => change)).toEqual([null, null, 'opened', null, null])
      expect(told.map(({ view }) => view.state)).toEqual([
        'closed',
        'closed',
        'open',
        'open',
        'open',
      ])
      const openedAt = told[2]!.view.openedAt
      expect(Math.abs(openedAt - Date.now())).toBeLessThan(60_000)
      const other = randomUUID()
      const [view, closed] = await state.readCircuits([id, other])
      expect(view).toMatchObject({ state: 'open', failures: 3, openedAt })
      expect(view!.waitMs).toBeGreaterThan(50_000)
      expect(view!.waitMs).toBeLessThanOrEqual(60_000)
      expect(closed).toEqual({ state: 'closed', failures: 0, waitMs: 0, openedAt: 0 })
      expect(await state.passCircuit(id, 1_000)).toMatchObject({ outcome: 'wait' })
    })

    async function openShortly(): Promise<void> {
      await state.reportCircuit(id, reportOf('failure'), SHORT)
      await eventually(async () => (await state.readCircuits([id]))[0]!.state === 'half_open', {
        everyMs: 5,
      })
    }

    test('lets one probe pass when the reset is over, and closes by its success', async () => {
      await openShortly()
      const passages = await Promise.all([1, 2, 3].map(() => state.passCircuit(id, 60_000)))
      expect(passages.map(({ outcome }) => outcome)).toEqual(['probe', 'wait', 'wait'])
      expect(passages[1]).toMatchObject({ afterMs: expect.any(Number) })
      await state.reportCircuit(id, reportOf('success'), SHORT)
      expect((await state.readCircuits([id]))[0]!.state).toBe('half_open')
      const told = await state.reportCircuit(id, reportOf('success', true), SHORT)
      expect(told).toMatchObject({ change: 'closed', view: { state: 'closed', failures: 0 } })
      expect(Math.abs(told.wasOpenedAt - Date.now())).toBeLessThan(60_000)
      expect(await state.passCircuit(id, 60_000)).toEqual({ outcome: 'closed' })
    })

    test('opens again by the probe’s failure, and lets another go when it brings nothing', async () => {
      await openShortly()
      const [{ openedAt } = { openedAt: 0 }] = await state.readCircuits([id])
      await state.passCircuit(id, 60_000)
      await state.reportCircuit(id, reportOf('nothing', true), POLICY)
      expect(await state.passCircuit(id, 60_000)).toEqual({ outcome: 'probe' })
      const told = await state.reportCircuit(id, reportOf('failure', true), POLICY)
      expect(told).toMatchObject({ change: 'reopened', view: { state: 'open', openedAt } })
      expect(told.view.waitMs).toBeGreaterThan(50_000)
    })

    test('gives the chance to another when the prober is not heard of', async () => {
      await openShortly()
      const passages = await Promise.all([1, 2].map(() => state.passCircuit(id, 1_000)))
      expect(passages.map(({ outcome }) => outcome)).toEqual(['probe', 'wait'])
      await eventually(async () => (await state.passCircuit(id, 60_000)).outcome === 'probe')
    })

    test('is closed by hand, and not opened by what was under way', async () => {
      await fail()
      await fail()
      await fail()
      expect(await state.resetCircuit(id)).toMatchObject({ state: 'open', failures: 3 })
      expect((await state.readCircuits([id]))[0]).toMatchObject({ state: 'closed', failures: 0 })
      const late: CircuitReport = { signal: 'failure', isProbe: false, durationMs: 30_000 }
      for (let n = 0; n < 5; n += 1) await state.reportCircuit(id, late, POLICY)
      expect((await state.readCircuits([id]))[0]).toMatchObject({ state: 'closed', failures: 0 })
      expect(await state.resetCircuit(randomUUID())).toMatchObject({ state: 'closed' })
    })

    test('reads none, and a thousand', async () => {
      expect(await state.readCircuits([])).toEqual([])
      const views = await state.readCircuits(Array.from({ length: 1_000 }, () => randomUUID()))
      expect(new Set(views.map((view) => view.state))).toEqual(new Set(['closed']))
      expect(views).toHaveLength(1_000)
    })

    function take(
      wanted: number,
      perSecond: number,
      backlog: TokensWanted['backlog'] = 'none',
      priority = 5,
    ): Promise<TokensGranted> {
      return state.takeTokens(id, { perSecond, wanted, backlog, priority })
    }

    test('grants a quarter of a second’s tokens at once, and says when the next comes', async () => {
      // One token in 20 s, so that none comes back meanwhile.
      expect(await take(5, 0.05)).toEqual({ granted: 1, retryAfterMs: 0, backlogElsewhere: false })
      const empty = await take(5, 0.05)
      expect(empty.granted).toBe(0)
      expect(empty.retryAfterMs).toBeGreaterThan(15_000)
      expect(empty.retryAfterMs).toBeLessThanOrEqual(20_000)
      const plenty = { perSecond: 1_000, priority: 5, backlog: 'none' } as const
      expect(await state.takeTokens(randomUUID(), { ...plenty, wanted: 500 })).toMatchObject({
        granted: 251,
      })
      expect(await state.takeTokens(randomUUID(), { ...plenty, wanted: 7 })).toMatchObject({
        granted: 7,
      })
    })

    test('shares a rate between those who ask, and holds it', async () => {
      const rate = 100
      const startedAt = performance.now()
      let taken = 0
      await eventually(
        async () => {
          for (const { granted } of await Promise.all([take(10, rate), take(10, rate)]))
            taken += granted
          return performance.now() - startedAt > 500
        },
        { everyMs: 5 },
      )
      const seconds = (performance.now() - startedAt) / 1_000
      expect(taken).toBeLessThanOrEqual(1 + rate / 4 + rate * seconds)
      expect(taken).toBeGreaterThan(rate * seconds * 0.8)
    })

    /** @returns who got the next token, and how long nobody asked meanwhile */
    async function raceForToken(): Promise<{ winner: number | null; pauseMs: number }> {
      id = randomUUID()
      await take(9, 5)
      expect((await take(1, 5, 'none', 9)).granted).toBe(0)
      expect((await take(1, 5, 'none', 1)).granted).toBe(0)
      let [askedAt, pauseMs] = [performance.now(), 0]
      let winner: number | null = null
      await eventually(
        async () => {
          for (const priority of [9, 1]) {
            const { granted } = await take(1, 5, 'none', priority)
            if (granted > 0) winner ??= priority
          }
          pauseMs = Math.max(pauseMs, performance.now() - askedAt)
          askedAt = performance.now()
          return winner !== null
        },
        { everyMs: 5 },
      )
      return { winner, pauseMs }
    }

    test('gives the next token to the most urgent of those who came too early', async () => {
      let race = await raceForToken()
      // Nobody waits for one who has not asked for 100 ms, as it may be on a busy machine.
      while (race.pauseMs > 50) race = await raceForToken()
      expect(race.winner).toBe(1)
    })

    test('gives nothing to others while the backlog is served, and again when it is not', async () => {
      expect(await take(1, 1_000, 'owned')).toEqual({
        granted: 1,
        retryAfterMs: 0,
        backlogElsewhere: false,
      })
      expect(await take(1, 1_000)).toMatchObject({ granted: 0, backlogElsewhere: true })
      await eventually(async () => (await take(1, 1_000)).granted === 1)
      await take(1, 1_000, 'owned')
      expect(await take(1, 1_000, 'ended')).toMatchObject({ granted: 1, backlogElsewhere: false })
      expect(await take(1, 1_000)).toMatchObject({ granted: 1, backlogElsewhere: false })
    })

    test('refuses a rate of nothing', async () => {
      await expect(take(1, 0)).rejects.toThrow(RangeError)
    })

    test('counts what happened in the last minute, key by key', async () => {
      const other = randomUUID()
      await state.countRecent([
        { key: id, times: 3 },
        { key: other, times: 1 },
      ])
      await state.countRecent([{ key: id, times: 4 }])
      expect(await state.readRecent([id, randomUUID(), other])).toEqual([7, 0, 1])
      expect(await state.readRecent([])).toEqual([])
    })
  })
}
