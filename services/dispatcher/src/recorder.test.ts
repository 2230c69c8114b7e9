import { expect, test } from '@jest/globals'
import type { AttemptRecord, RecordedAll } from '@posthorn/store/pipeline/record-attempts'
import { createRecorder, type Result } from './recorder.ts'

function result(n: number, responseBody: string): Result {
  const attempt = { deliveryId: `d${n}`, responseBody, responseHeaders: null, requestBody: null }
  return { attempt: attempt as AttemptRecord, work: {} as Result['work'] } as Result
}

test('is full by what receivers answered long before it is by number, and has room once that is written', async () => {
  const gate = Promise.withResolvers<void>()
  const recorder = createRecorder({
    async recordAttempts(rows): Promise<RecordedAll> {
      await gate.promise
      const written = rows.map(({ deliveryId, attemptNumber }) => ({ deliveryId, attemptNumber }))
      return { written, refused: [], released: [] }
    },
    isUnavailable: () => false,
    turns: (work) => work(),
    pause: async () => {},
    onSettled: () => {},
    onReleased: () => {},
    onRoom: () => {},
    now: () => 0,
    log: { warn: () => {}, error: () => {} },
  })
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
