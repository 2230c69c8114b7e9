import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { eventTypeOf } from '../incoming-event.ts'
import { createPlatformVerifier, requestOf } from '../platform-verifier.fixture.ts'
import { payloadOf } from '../payload.fixture.ts'
import { preset } from './hellosign.ts'

const { resultOf } = createPlatformVerifier(preset)
const hash = createHmac('sha256', 'key').update('1348177752signed').digest('hex')

function form(event: Record<string, unknown>) {
  const json = JSON.stringify({ event })
  const field = 'Content-Disposition: form-data; name="json"'
  return {
    headers: { 'Content-Type': 'multipart/form-data; boundary=----0f3c9ad1e2' },
    body: `------0f3c9ad1e2\r\n${field}\r\n\r\n${json}\r\n------0f3c9ad1e2--\r\n`,
  }
}
const event = { event_time: '1348177752', event_type: 'signed', event_hash: hash }

test('the event in a multipart form is verified, and typed', async () => {
  expect(await resultOf(form(event), { secret: ['old', 'key'] })).toBe('verified')
  const request = requestOf(form(event))
  const payload = await payloadOf(request, preset)
  expect(eventTypeOf(preset, null, request, payload)).toBe('signed')
})

test('another time, another type, another key and no hash are refused', async () => {
  const key = { secret: 'key' }
  expect(await resultOf(form({ ...event, event_time: '1348177753' }), key)).toBe('wrong_signature')
  expect(await resultOf(form({ ...event, event_type: 'declined' }), key)).toBe('wrong_signature')
  expect(await resultOf(form(event), { secret: 'other' })).toBe('wrong_signature')
  expect(await resultOf(form({ ...event, event_hash: 'zz' }), key)).toBe('malformed_signature')
  expect(await resultOf({ body: 'nonsense' }, key)).toBe('no_signature')
})
