import { expect, test } from '@jest/globals'
import { createHash, createHmac } from 'node:crypto'
import { eventTypeOf } from '../incoming-event.ts'
import { createPlatformVerifier, requestOf } from '../platform-verifier.fixture.ts'
import { payloadOf } from '../payload.fixture.ts'
import { preset } from './braintree.ts'

const { resultOf, answerTo } = createPlatformVerifier(preset)
const keys = { public_key: 'pub', private_key: 'priv' }

function signature(text: string, privateKey = 'priv') {
  const key = createHash('sha1').update(privateKey).digest()
  return createHmac('sha1', key).update(text).digest('hex')
}

function form(payload: string, pairs: string) {
  const body = new URLSearchParams({ bt_signature: pairs, bt_payload: payload }).toString()
  return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body }
}
const xml =
  '<notification><kind>dispute_opened</kind><timestamp type="datetime">t</timestamp></notification>'
const payload = `${Buffer.from(xml).toString('base64')}\n`

test('the pair with our public key counts, and no other', async () => {
  const right = `other|00&pub|${signature(payload)}`
  expect(await resultOf(form(payload, right), keys)).toBe('verified')
  expect(await resultOf(form(payload.trim(), `pub|${signature(payload)}`), keys)).toBe('verified')
  expect(await resultOf(form(`A${payload}`, right), keys)).toBe('wrong_signature')
  expect(await resultOf(form(payload, `other|${signature(payload)}`), keys)).toBe('unknown_key')
  expect(await resultOf(form(payload, `pub|${signature(payload, 'x')}`), keys)).toBe(
    'wrong_signature',
  )
  expect(await resultOf({ body: '{}' }, keys)).toBe('no_signature')
})

test('a text that we sign for a challenge is never accepted as an event', async () => {
  const challenge = '20f9f8ed05f77439fe955c977e4c8a53'
  const ask = (text: string) => answerTo({ method: 'GET', url: `?bt_challenge=${text}` }, keys)
  expect(ask(challenge)?.body).toBe(`pub|${signature(challenge)}`)
  const forged = form(challenge, `pub|${signature(challenge)}`)
  expect(await resultOf(forged, keys)).toBe('malformed_signature')
  expect(ask(encodeURIComponent(payload))).toBeNull()
  expect(ask('abc')).toBeNull()
})

test('the kind is found in the XML, and the event stays a form', async () => {
  const request = requestOf(form(payload, 'pub|00'))
  const read = await payloadOf(request, preset)
  expect(eventTypeOf(preset, null, request, read)).toBe('dispute_opened')
  expect(JSON.parse(read.text)).toEqual({ bt_signature: 'pub|00', bt_payload: payload })
})
