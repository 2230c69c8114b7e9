import { expect, test } from '@jest/globals'
import { createHash, createHmac } from 'node:crypto'
import { createPlatformVerifier, NOW, presetOf } from './platform-verifier.fixture.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ENTERED = 'https://shop.example/hooks'

function hmac(algorithm: string, key: string, text: string, encoding: 'hex' | 'base64' = 'base64') {
  return createHmac(algorithm, key).update(text).digest(encoding)
}

test('Twilio: the signature binds a form, an empty body and a hashed one, and no other body', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('twilio'))
  const send = (signed: string, body: string, headers: Record<string, string> = {}, url = '') => {
    const signature = hmac('sha1', 'token', signed)
    return resultOf(
      { url, body, headers: { 'X-Twilio-Signature': signature, ...headers } },
      { secret: 'token', webhook_url: ENTERED },
    )
  }
  expect(await send(`${ENTERED}A1B2B3`, 'B=3&A=1&B=2&B=3', FORM)).toBe('verified')
  expect(await send('https://shop.example:443/hooksA1', 'A=1', FORM)).toBe('verified')
  expect(await send(`${ENTERED}A1`, 'A=2', FORM)).toBe('wrong_signature')
  expect(await send(`${ENTERED}?x=1`, '', {}, '?x=1')).toBe('verified')
  expect(await send(ENTERED, '{"forged":true}')).toBe('wrong_signature')
  const hash = createHash('sha256').update('{}').digest('hex')
  const query = `?bodySHA256=${hash}`
  expect(await send(ENTERED + query, '{}', {}, query)).toBe('verified')
  expect(await send(ENTERED + query, '{ }', {}, query)).toBe('wrong_signature')
  expect(await send(ENTERED + query, 'A=1', FORM, query)).toBe('wrong_signature')
})

test('Mandrill: URL and fields are signed; the test without events is only answered', async () => {
  const { resultOf, answerTo } = createPlatformVerifier(await presetOf('mandrill'))
  const config = { secret: 'key', webhook_url: 'https://user:pass@shop.example/?a=1' }
  const events = '[{"event":"send"}]'
  const body = new URLSearchParams({ mandrill_events: events }).toString()
  const signature = hmac('sha1', 'key', `${config.webhook_url}mandrill_events${events}`)
  const headers = { ...FORM, 'X-Mandrill-Signature': signature }
  expect(await resultOf({ headers, body }, config)).toBe('verified')
  expect(await resultOf({ headers, body: `${body}&a=1` }, config)).toBe('wrong_signature')
  const bare = { 'X-Mandrill-Signature': hmac('sha1', 'key', config.webhook_url) }
  expect(await resultOf({ headers: bare, body: '{}' }, config)).toBe('wrong_signature')
  expect(answerTo({ method: 'HEAD' }, {})).toMatchObject({ status: 200 })
  expect(answerTo({ headers: FORM, body: 'mandrill_events=[]' }, {})).toMatchObject({ status: 200 })
  expect(answerTo({ headers, body }, config)).toBeNull()
})

test('Plivo: query and fields are signed in order, with its own punctuation, by either token', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('plivo'))
  const config = { auth_token: 'token', webhook_url: ENTERED }
  const send = (signed: string, url: string, name = 'X-Plivo-Signature-V3') => {
    const headers = {
      ...FORM,
      'X-Plivo-Signature-V3-Nonce': 'n1',
      [name]: `b3RoZXI=,${hmac('sha256', 'token', signed)}`,
    }
    return resultOf({ headers, url, body: 'To=1&From=2' }, config)
  }
  expect(await send(`${ENTERED}?From2To1.n1`, '')).toBe('verified')
  expect(await send(`${ENTERED}?a=1&b=2.From2To1.n1`, '?b=2&a=1')).toBe('verified')
  expect(await send(`${ENTERED}?From2To1.n1`, '', 'X-Plivo-Signature-Ma-V3')).toBe('verified')
  expect(await send(`${ENTERED}?From2To1.n2`, '')).toBe('wrong_signature')
})

test('Zoho Books: the example of its documents verifies', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('zoho-books'))
  const body = '{"created_date":"2019-03-06","event_id":"5675"}'
  const signature = hmac('sha256', 'token', `namebasicsubscription_id90343${body}`, 'hex')
  const headers = { 'X-Zoho-Webhook-Signature': signature }
  const url = '?subscription_id=90343&name=basic'
  expect(await resultOf({ headers, url, body }, { secret: 'token' })).toBe('verified')
  expect(await resultOf({ headers, body }, { secret: 'token' })).toBe('wrong_signature')
  const form = { ...FORM, 'X-Zoho-Webhook-Signature': hmac('sha256', 'token', 'a1b2', 'hex') }
  expect(await resultOf({ headers: form, url: '?b=2', body: 'a=1' }, { secret: 'token' })).toBe(
    'verified',
  )
})

test('Mercado Pago: the id is accepted in either case; a missing part is left out', async () => {
  const { resultOf } = createPlatformVerifier(await presetOf('mercado-pago'))
  const send = (signed: string, url: string, headers: Record<string, string> = {}) =>
    resultOf(
      {
        url,
        headers: {
          ...headers,
          'x-signature': `ts=${NOW},v1=${hmac('sha256', 's', signed, 'hex')}`,
        },
      },
      { secret: 's' },
    )
  const request = { 'x-request-id': 'r' }
  expect(await send(`id:ab1;request-id:r;ts:${NOW};`, '?data.id=AB1', request)).toBe('verified')
  expect(await send(`id:AB1;request-id:r;ts:${NOW};`, '?data.id=AB1', request)).toBe('verified')
  expect(await send(`request-id:r;ts:${NOW};`, '', request)).toBe('verified')
  expect(await send(`id:1;ts:${NOW};`, '?data.id=1')).toBe('verified')
  expect(await send(`id:1;ts:${NOW};`, '?data.id=2')).toBe('wrong_signature')
})
