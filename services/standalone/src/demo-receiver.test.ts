/** What the demo receiver finds of a signature, and how it answers. */
import { expect, test } from '@jest/globals'
import { serviceSignature } from '@posthorn/domain/signature'
import { createDemoReceiver } from './demo-receiver.ts'

const NOW = 1_800_000_000
const BODY = '{"a":1}'
const SECRET = 'whsec_0123456789abcdef'
const NONE = new URLSearchParams()

const receiver = createDemoReceiver({
  secretsFor: async () => ['another-one', SECRET],
  headerNames: { timestamp: 'x-t', signature: 'x-s' },
  now: () => NOW * 1_000,
})

async function receive(headers: Record<string, string>, query = NONE) {
  const answer = await receiver.receive('a', query, { method: 'POST', headers, body: BODY })
  return { answer, request: receiver.list('a')[0] }
}

test.each([
  ['verified', NOW - 2, SECRET, { ageSeconds: 2, secretHint: 'cdef' }],
  ['stale', NOW - 301, SECRET, { ageSeconds: 301, secretHint: null }],
  ['mismatch', NOW, 'whsec_of_somebody', { ageSeconds: 0, secretHint: null }],
] as const)('%s', async (outcome, timestamp, secret, found) => {
  const value = serviceSignature(secret, timestamp, BODY)
  const { request } = await receive({ 'x-t': String(timestamp), 'x-s': value })
  expect(request).toMatchObject({
    verified: outcome === 'verified',
    signature: { outcome, value, timestamp: String(timestamp), ...found },
  })
})

test.each([{}, { 'x-t': '1' }, { 'x-s': 'v1=00' }, { 'x-t': 'soon', 'x-s': 'v1=00' }])(
  'with the headers %j a request is unsigned',
  async (headers) => {
    const { request } = await receive(headers as Record<string, string>)
    expect(request).toMatchObject({ verified: false, signature: { outcome: 'unsigned' } })
  },
)

test('it answers as it is set to, unless the destination asks for its own', async () => {
  expect(receiver.answerOf('a')).toEqual({ status: 200, delayMs: 0 })
  expect(receiver.setAnswer('a', { status: 503, delayMs: 10 })).toBe(true)
  expect((await receive({})).answer).toEqual({ status: 503, delayMs: 10 })
  const own = await receive({}, new URLSearchParams('status=404&delayMs=0'))
  expect(own.answer).toEqual({ status: 404, delayMs: 0 })
  expect(own.request?.answered).toEqual({ status: 404, delayMs: 0 })
  for (const wrong of [
    { status: 199, delayMs: 0 },
    { status: '200', delayMs: 0 },
    { status: 200, delayMs: 60_001 },
    { status: 200.5, delayMs: 0 },
  ])
    expect(receiver.setAnswer('a', wrong)).toBe(false)
  expect(receiver.answerOf('a')).toEqual({ status: 503, delayMs: 10 })
})
