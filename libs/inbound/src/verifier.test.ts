import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { SOURCE_REF } from './platform-verifier.fixture.ts'
import { preset as segment } from './platforms/segment.ts'
import { preset as slack } from './platforms/slack.ts'
import { preset as stripe } from './platforms/stripe.ts'
import type { InboundRequest } from './request.ts'
import { createVerifier } from './verifier.ts'

const NOW = 1_700_000_000_000
const verifier = createVerifier({
  fetchText: (url) => Promise.reject(new Error(`nobody publishes ${url.href}`)),
  now: () => NOW,
})

function post(body: string, headers: Record<string, string>): InboundRequest {
  return {
    method: 'POST',
    url: new URL('https://hooks.example.com/inbound/abcdefgh'),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
    body: Buffer.from(body),
    receivedAt: NOW,
  }
}

function hex(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

test('any signature of a list, made with any of the secrets, is accepted', async () => {
  const at = NOW / 1000
  const right = hex('new', `${at}.{}`)
  const request = post('{}', {
    'Stripe-Signature': `t=${at},v0=00,v1=${hex('x', 'y')},v1=${right}`,
  })
  const credentials = { secret: ['old', 'new'] }
  expect(await verifier.verify(stripe, request, credentials, SOURCE_REF)).toMatchObject({
    outcome: 'verified',
  })
})

test('an old request, a changed one, a half one and one without a signature are told apart', async () => {
  const resultOf = async (signature: string | null) => {
    const request = post('{}', signature === null ? {} : { 'Stripe-Signature': signature })
    return await verifier.verify(stripe, request, { secret: 'a' }, SOURCE_REF)
  }
  const old = NOW / 1000 - 301
  const rejectedFor = (reason: string) => expect.objectContaining({ outcome: 'rejected', reason })
  expect(await resultOf(`t=${old},v1=${hex('a', `${old}.{}`)}`)).toEqual(rejectedFor('too_old'))
  expect(await resultOf(`t=${old},v1=${hex('b', `${old}.{}`)}`)).toEqual(
    rejectedFor('wrong_signature'),
  )
  expect(await resultOf(`v1=${hex('a', '.{}')}`)).toEqual(rejectedFor('malformed_signature'))
  expect(await resultOf('nonsense')).toEqual(rejectedFor('malformed_signature'))
  expect(await resultOf(null)).toEqual(rejectedFor('no_signature'))
})

test('a challenge in a signed request is answered once the signature is right', () => {
  const request = post('{"type":"url_verification","challenge":"abc"}', {})
  expect(verifier.handshake(slack, request, {})).toBeNull()
  expect(verifier.signedHandshake(slack, request, {})).toMatchObject({ status: 200, body: 'abc' })
})

test('a batch of which only the first event is signed is refused', async () => {
  const [first, second] = ['{"messageId":"1"}', '{"messageId":"2"}']
  const signature = createHmac('sha1', 'a').update(first!).digest('hex')
  const resultOf = (body: string) =>
    verifier.verify(segment, post(body, { 'X-Signature': signature }), { secret: 'a' }, SOURCE_REF)
  expect(await resultOf(first!)).toMatchObject({ outcome: 'verified' })
  expect(await resultOf(`[${first},${second}]`)).toMatchObject({ outcome: 'rejected' })
})
