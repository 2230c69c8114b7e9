import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { SendResult } from '@posthorn/egress/egress'
import { classifyResult, type AttemptTimes } from './classify-result.ts'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import { newLeasedDelivery } from '../delivery.ts'

const message = {
  deliveryId: 'd',
  lane: null,
  attempts: 6,
  attemptsBefore: 4,
  maxAttempts: null,
} as DueDelivery
const way = {
  url: 'https://example.com',
  maxRetries: 5,
  backoff: DEFAULT_BACKOFF,
  endpointVersion: 7,
} as ResolvedTarget
const times: AttemptTimes = { attemptId: 'a', takenAt: 100, judgedAt: 161, now: 0, random: 0.5 }
const answered: SendResult = {
  outcome: 'response',
  statusCode: 200,
  headers: { server: 'x' },
  body: 'ok',
  bodyTruncated: false,
  firstByteOutAt: 112,
  lastByteInAt: 160.5,
  durationMs: 50.4,
}

test('a success keeps the answer’s body and none of its headers', () => {
  const { attempt, category, gone } = classifyResult(
    newLeasedDelivery(message, 1, null, 0),
    way,
    answered,
    times,
  )
  expect([category, gone]).toEqual([null, false])
  expect(attempt).toMatchObject({
    id: 'a',
    attemptNumber: 7,
    statusCode: 200,
    error: '',
    responseBody: 'ok',
    responseHeaders: null,
    durationMs: 50,
    overheadUs: 12_500,
    endpointVersion: 7,
    next: { state: 'delivered' },
  })
})

test.each([
  [29_998, 'waiting'],
  [29_999, 'dead'],
  [32_766, 'dead'],
])('after %d attempts over all replays one that fails is %s', (tries, state) => {
  const failed = { ...answered, statusCode: 500 }
  const late = { ...message, tries, triesBefore: tries - 1 }
  const { attempt } = classifyResult(newLeasedDelivery(late, 1, null, 0), way, failed, times)
  expect([attempt.attemptNumber, attempt.next.state]).toEqual([tries + 1, state])
})

test('tries are counted from the last replay, numbers from the first try', () => {
  const failed = { ...answered, statusCode: 500 }
  const judged = classifyResult(newLeasedDelivery(message, 1, null, 0), way, failed, times)
  expect(judged.attempt).toMatchObject({
    attemptNumber: 7,
    next: { state: 'waiting', afterMs: 4_000 },
  })
  expect(judged.attempt.responseHeaders).toBe('{"server":"x"}')
  const last = { ...message, tries: 8 }
  expect(
    classifyResult(newLeasedDelivery(last, 1, null, 0), way, failed, times).attempt.next,
  ).toEqual({
    state: 'dead',
    reason: 'attempts used up',
  })
  const more = { ...last, maxAttempts: 6 }
  expect(
    classifyResult(newLeasedDelivery(more, 1, null, 0), way, failed, times).attempt.next.state,
  ).toBe('waiting')
})

test('where nothing was sent, all of the time before the try is ours', () => {
  const refused: SendResult = {
    outcome: 'error',
    category: 'refused',
    detail: 'no',
    firstByteOutAt: null,
    lastByteInAt: 160,
    durationMs: 20,
  }
  const { attempt } = classifyResult(newLeasedDelivery(message, 1, null, 0), way, refused, times)
  expect(attempt).toMatchObject({
    statusCode: 0,
    error: 'refused: no',
    responseHeaders: null,
    overheadUs: 41_000,
  })
})
