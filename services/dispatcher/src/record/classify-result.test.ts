import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { DEFAULT_BACKOFF } from '@posthorn/domain/backoff'
import type { SendResult } from '@posthorn/egress/egress'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { newDelivery, type Sending, toQueued, toSending } from '../delivery.ts'
import type { Slot } from '../schedule/windows.ts'
import { classifyResult, type ResultTimes } from './classify-result.ts'

const message = {
  deliveryId: 'd',
  lane: null,
  attempts: 6,
  attemptsBefore: 4,
  maxAttempts: null,
} as DueDelivery
const target = {
  url: 'https://example.com',
  maxRetries: 5,
  backoff: DEFAULT_BACKOFF,
  endpointVersion: 7,
} as ResolvedTarget
const times: ResultTimes = { classifiedAt: 161, now: 0, random: 0.5 }
const responded: SendResult = {
  outcome: 'response',
  statusCode: 200,
  headers: { server: 'x' },
  body: 'ok',
  bodyTruncated: false,
  firstByteOutAt: 112,
  lastByteInAt: 160.5,
  durationMs: 50.4,
}

function sending(of: DueDelivery): Sending {
  const queued = toQueued(newDelivery(of, 1, null, 100), target, 100)
  const begun = toSending(queued, target, {} as Slot)
  begun.attemptId = 'a'
  return begun
}

test('a success keeps the response’s body and none of its headers', () => {
  const { attempt, category, gone } = classifyResult(sending(message), responded, times)
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
])('after %d attempts over all replays one that fails is %s', (attempts, state) => {
  const failed = { ...responded, statusCode: 500 }
  const late = { ...message, attempts, attemptsBefore: attempts - 1 }
  const { attempt } = classifyResult(sending(late), failed, times)
  expect([attempt.attemptNumber, attempt.next.state]).toEqual([attempts + 1, state])
})

test('attempts are counted from the last replay, and numbered from the first', () => {
  const failed = { ...responded, statusCode: 500 }
  const classified = classifyResult(sending(message), failed, times)
  expect(classified.attempt).toMatchObject({
    attemptNumber: 7,
    next: { state: 'waiting', afterMs: 4_000 },
  })
  expect(classified.attempt.responseHeaders).toBe('{"server":"x"}')
  const last = { ...message, attempts: 8 }
  expect(classifyResult(sending(last), failed, times).attempt.next).toEqual({
    state: 'dead',
    reason: 'attempts used up',
  })
  const more = { ...last, maxAttempts: 6 }
  expect(classifyResult(sending(more), failed, times).attempt.next.state).toBe('waiting')
})

test('where nothing was sent, all of the time before the attempt is ours', () => {
  const refused: SendResult = {
    outcome: 'error',
    category: 'refused',
    detail: 'no',
    firstByteOutAt: null,
    lastByteInAt: 160,
    durationMs: 20,
  }
  const { attempt } = classifyResult(sending(message), refused, times)
  expect(attempt).toMatchObject({
    statusCode: 0,
    error: 'refused: no',
    responseHeaders: null,
    overheadUs: 41_000,
  })
})
