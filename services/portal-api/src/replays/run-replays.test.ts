import { expect, test } from '@jest/globals'
import type { LeasedReplay, ReplayedSlice } from '@posthorn/store/pipeline/bulk-replays'
import { REPLAY_IDLE_CHECK_MS, type RunReplaysDeps, runReplays } from './run-replays.ts'

const leased = { tenantId: 't', id: 'r', endpointId: 'e', token: 1 } as LeasedReplay

function round(over: Partial<RunReplaysDeps> & { slice?: ReplayedSlice | null } = {}) {
  const announced: unknown[] = []
  const lines: unknown[] = []
  const done = runReplays({
    takeReplay: async () => leased,
    replaySlice: async () => over.slice ?? null,
    announceDeliveries: (announcements) => announced.push(announcements),
    writable: () => true,
    log: { info: (name, fields) => lines.push({ name, ...fields }) },
    ...over,
  })
  return { done, announced, lines }
}

function slice(queued: number, ended = false): ReplayedSlice {
  return { work: [], polls: [], queued, ended }
}

test('announces what it queued and logs it', async () => {
  const { done, announced, lines } = round({ slice: slice(1_000) })
  expect(await done).toBe(false)
  expect(announced).toEqual([slice(1_000)])
  expect(lines).toEqual([
    {
      name: 'replay.advanced',
      tenantId: 't',
      replayId: 'r',
      endpointId: 'e',
      queued: 1_000,
      ended: false,
    },
  ])
})

test('goes on at once after a slice with little in it, or one that was lost', async () => {
  expect(await round({ slice: slice(99) }).done).toBe(true)
  expect(await round({ slice: slice(0, true) }).done).toBe(true)
  const lost = round({ slice: null })
  expect(await lost.done).toBe(true)
  expect(lost.announced).toEqual([])
})

test('rests when there is nothing to do', async () => {
  expect(await round({ takeReplay: async () => null }).done).toBe(REPLAY_IDLE_CHECK_MS)
})

test('takes nothing while the bus is full', async () => {
  let wasAsked = false
  const takeReplay = async (): Promise<null> => {
    wasAsked = true
    return null
  }
  expect(await round({ writable: () => false, takeReplay }).done).toBe(false)
  expect(wasAsked).toBe(false)
})
