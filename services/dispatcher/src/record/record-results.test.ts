import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { SendResult } from '@posthorn/egress/egress'
import type { RecordingOutcome } from '@posthorn/store/pipeline/record-attempts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { newDelivery, type Sending, toQueued, toSending } from '../delivery.ts'
import { createMutex } from '@posthorn/async/mutex'
import type { Slot } from '../schedule/windows.ts'
import { createRecorder, type Recorder } from './record-results.ts'

const TARGET = { backoff: DEFAULT_BACKOFF, maxRetries: 5 } as ResolvedTarget

function sending(n: number, lane: string | null): Sending {
  const message = { deliveryId: `d${n}`, lane, attempts: 0, attemptsBefore: 0 } as DueDelivery
  const queued = toQueued(newDelivery(message, 1, null, 0), TARGET, 0)
  return toSending(queued, TARGET, {} as Slot)
}

function response(body: string): SendResult {
  const times = { firstByteOutAt: 0, lastByteInAt: 0, durationMs: 0 }
  const rest = { headers: {}, bodyTruncated: false }
  return { outcome: 'response', statusCode: 200, body, ...rest, ...times }
}

function record(recorder: Recorder, n: number, body: string, lane: string | null = null): void {
  recorder.record(sending(n, lane), response(body))
}

/** @param write before its rows count as written */
function recorderOf(write: (ids: string[]) => Promise<void>, heads = () => 0): Recorder {
  return createRecorder({
    statements: {
      async recordAttempts(rows): Promise<RecordingOutcome> {
        await write(rows.map(({ deliveryId }) => deliveryId))
        const written = rows.map(({ deliveryId, attemptNumber }) => ({ deliveryId, attemptNumber }))
        return { written, superseded: [], refused: [], released: [] }
      },
      releaseLeases: async () => {},
    },
    circuits: { attemptEnded: () => {}, releaseProbe: () => {} },
    inFlight: { forget: () => {}, heads },
    reportAttempt: () => {},
    disableGone: () => {},
    admitReleased: () => {},
    capacityFreed: () => {},
    mutex: createMutex(),
    now: () => 0,
    databaseNow: () => 0,
    random: () => 0.5,
    log: { warn: () => {}, error: () => {} },
  })
}

test('is full by the bytes of responses long before it is by number, until they are written', async () => {
  const gate = Promise.withResolvers<void>()
  const recorder = recorderOf(() => gate.promise)
  const body = 'x'.repeat(16 * 1024)
  for (let n = 0; n < 1_023; n += 1) record(recorder, n, body)
  expect(recorder.full()).toBe(false)
  record(recorder, 1_023, body)
  expect(recorder.full()).toBe(true)
  gate.resolve()
  await recorder.idle()
  expect([recorder.full(), recorder.size()]).toEqual([false, 0])
  for (let n = 0; n < 1_023; n += 1) record(recorder, n, body)
  expect(recorder.full()).toBe(false)
  await recorder.idle()
})

test('heads of lanes are written once half of those here have come, and the others meanwhile', async () => {
  const batches: string[][] = []
  let here = 6
  const recorder = recorderOf(
    async (ids) => void batches.push(ids),
    () => here,
  )
  const add = (n: number, isHead: boolean): void => record(recorder, n, '', isHead ? 'k' : null)
  add(1, true)
  add(2, false)
  add(3, true)
  add(4, true)
  await recorder.idle()
  expect(batches).toHaveLength(2)
  expect(batches).toContainEqual(['d1', 'd3', 'd4'])
  expect(batches).toContainEqual(['d2'])
  // Those that do not come hold it up for 5 ms.
  here = 4
  const addedAt = performance.now()
  add(5, true)
  await recorder.idle()
  expect(batches[2]).toEqual(['d5'])
  expect(performance.now() - addedAt).toBeGreaterThan(4)
})
