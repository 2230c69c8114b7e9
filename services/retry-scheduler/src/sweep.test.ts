import { expect, test } from '@jest/globals'
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import type { Swept } from '@posthorn/store/pipeline/sweep'
import { SWEEP_LIMIT, SWEEP_MS, type SweepDeps, sweep } from './sweep.ts'

async function rest(swept: Partial<Swept>, over: Partial<SweepDeps> = {}): Promise<true | number> {
  const nothing = { events: [], deliveries: [], backlogs: [], polls: [], rows: 0, nextInMs: null }
  return await sweep({
    sweepDue: async () => ({ ...nothing, ...swept }),
    writable: () => true,
    announceEvents: () => undefined,
    announceDue: () => undefined,
    announcePolls: () => undefined,
    count: () => undefined,
    ...over,
  })
}

test('sleeps until the next row is due, and otherwise for as long as nothing can become due unannounced', async () => {
  expect(await rest({ nextInMs: 250 })).toBe(251)
  expect(await rest({ nextInMs: 250.4 })).toBe(252)
  expect(await rest({ nextInMs: 9_000 })).toBe(DUE_SOON_MS)
  expect(await rest({ nextInMs: null })).toBe(DUE_SOON_MS)
})

test('looks again at its interval, unless there is more than it takes at once', async () => {
  expect(await rest({ nextInMs: 3 })).toBe(SWEEP_MS)
  expect(await rest({ rows: 7 })).toBe(SWEEP_MS)
  expect(await rest({ rows: SWEEP_LIMIT })).toBe(true)
})

test('does not sleep while the bus takes nothing', async () => {
  const sweepDue = async (): Promise<never> => {
    throw new Error('not to be swept')
  }
  expect(await rest({}, { writable: () => false, sweepDue })).toBe(SWEEP_MS)
})

/** Nobody announces a back-off of the default length: the sweep must see it before it is due. */
test('a delivery in its first default back-off is seen in time', async () => {
  expect(DUE_SOON_MS).toBeLessThan(900)
})
