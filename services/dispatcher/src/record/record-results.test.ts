import { expect, test } from '@jest/globals'
import type { AttemptRecord, RecordingOutcome } from '@posthorn/store/pipeline/record-attempts'
import { createRecorder, type AttemptResult } from './record-results.ts'

function result(n: number, responseBody: string): AttemptResult {
  const attempt = { deliveryId: `d${n}`, responseBody, responseHeaders: null, requestBody: null }
  return {
    attempt: attempt as AttemptRecord,
    delivery: {} as AttemptResult['delivery'],
  } as AttemptResult
}

/** @param record before its rows count as written */
function recorderOf(record: (ids: string[]) => Promise<void>, heads = () => 0) {
  return createRecorder({
    async recordAttempts(rows): Promise<RecordingOutcome> {
      await record(rows.map(({ deliveryId }) => deliveryId))
      const written = rows.map(({ deliveryId, attemptNumber }) => ({ deliveryId, attemptNumber }))
      return { written, superseded: [], refused: [], released: [] }
    },
    isUnavailable: () => false,
    turns: (work) => work(),
    pause: async () => {},
    onSettled: () => {},
    onReleased: () => {},
    releaseLeases: async () => {},
    onRoom: () => {},
    heads,
    now: () => 0,
    log: { warn: () => {}, error: () => {} },
  })
}

test('is full by what receivers answered long before it is by number, and has room once that is written', async () => {
  const gate = Promise.withResolvers<void>()
  const recorder = recorderOf(() => gate.promise)
  const body = 'x'.repeat(16 * 1024)
  for (let n = 0; n < 1_023; n += 1) recorder.add(result(n, body))
  expect(recorder.full()).toBe(false)
  recorder.add(result(1_023, body))
  expect(recorder.full()).toBe(true)
  gate.resolve()
  await recorder.idle()
  expect([recorder.full(), recorder.size()]).toEqual([false, 0])
  for (let n = 0; n < 1_023; n += 1) recorder.add(result(n, body))
  expect(recorder.full()).toBe(false)
  await recorder.idle()
})

test('heads of lanes are written as soon as half of those here have come, and the others meanwhile', async () => {
  const batches: string[][] = []
  let here = 6
  const recorder = recorderOf(
    async (ids) => void batches.push(ids),
    () => here,
  )
  const add = (n: number, isHead: boolean): void => {
    const one = result(n, '')
    recorder.add(
      isHead ? { ...one, attempt: { ...one.attempt, head: { lane: 'k', token: 1 } } } : one,
    )
  }
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
