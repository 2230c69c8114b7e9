import { expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { createPlatformVerifier, NOW, presetOf } from './platform-verifier.fixture.ts'

const CRC = 'MDk0Y2Q0NWYtMTk5Yi00OTk2LWIyZWEtZDMwMTI3MDYxNmRh'

test('X gets the hash of its token, and nobody gets the signature of a body', async () => {
  const { answerTo, resultOf } = createPlatformVerifier(await presetOf('twitter'))
  const config = { consumer_secret: 's' }
  const hash = (text: string) => `sha256=${createHmac('sha256', 's').update(text).digest('base64')}`
  const ask = (token: string) =>
    answerTo({ method: 'GET', url: `?crc_token=${encodeURIComponent(token)}` }, config)
  expect(ask(CRC)?.body).toBe(JSON.stringify({ response_token: hash(CRC) }))
  expect(ask('{"forged":true}')).toMatchObject({ status: 403, body: '' })
  const sent = (body: string) => ({
    body,
    headers: { 'x-twitter-webhooks-signature': hash(body) },
  })
  expect(await resultOf(sent('{"tweet_create_events":[]}'), config)).toBe('verified')
  // A text that anybody can have us hash.
  expect(await resultOf(sent('7'), config)).toBe('wrong_signature')
  expect(await resultOf(sent(''), config)).toBe('wrong_signature')
})

test('Zoom gets its hash only once the request is verified', async () => {
  const { answerTo, answerToSigned } = createPlatformVerifier(await presetOf('zoom'))
  const ask = (plainToken: string) => ({
    body: JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } }),
  })
  const encryptedToken = createHmac('sha256', 's').update('abc').digest('hex')
  expect(answerTo(ask('abc'), { secret: 's' })).toBeNull()
  expect(answerToSigned(ask('abc'), { secret: 's' })?.body).toBe(
    JSON.stringify({ plainToken: 'abc', encryptedToken }),
  )
  expect(answerToSigned(ask(`v0:${NOW}:{}`), { secret: 's' })).toMatchObject({ status: 403 })
})

test('Notion’s token is stored, and never replaced', async () => {
  const { answerTo } = createPlatformVerifier(await presetOf('notion'))
  const first = { body: '{"verification_token":"secret_1"}' }
  expect(answerTo(first, {})).toMatchObject({ status: 200, learned: { secret: 'secret_1' } })
  expect(answerTo(first, { secret: 'secret_0' })).toEqual({ status: 200, headers: {}, body: '' })
  const later = { body: '{"verification_token":"secret_1","type":"page.created"}' }
  expect(answerTo(later, {})).toBeNull()
  expect(answerTo({ body: JSON.stringify({ verification_token: 'a b' }) }, {})).toBeNull()
})

test('Salesforce’s two values are stored until it is set up', async () => {
  const { answerTo } = createPlatformVerifier(await presetOf('salesforce-marketing-cloud'))
  const first = { body: '{"callbackId":"c","verificationKey":"v"}' }
  const learned = { callback_id: 'c', verification_key: 'v' }
  expect(answerTo(first, {})).toMatchObject({ status: 200, learned })
  expect(answerTo(first, learned)).toBeNull()
})

test('a hub’s handshake is answered; YouTube’s must have the configured token, if there is one', async () => {
  const question = (token: string) => ({
    method: 'GET' as const,
    url: `?hub.mode=subscribe&hub.topic=t&hub.challenge=abc&hub.verify_token=${token}`,
  })
  expect(
    createPlatformVerifier(await presetOf('websub')).answerTo(question('x'), {}),
  ).toMatchObject({
    body: 'abc',
  })
  const { answerTo } = createPlatformVerifier(await presetOf('youtube'))
  expect(answerTo(question('x'), {})).toMatchObject({ status: 200, body: 'abc' })
  expect(answerTo(question('x'), { verify_token: 'x' })).toMatchObject({ body: 'abc' })
  expect(answerTo(question('y'), { verify_token: 'x' })).toMatchObject({ status: 403, body: '' })
})

test.each([
  ['monday', { body: '{"challenge":"c"}' }, { body: '{"challenge":"c"}' }],
  ['miro', { body: '{"challenge":"c"}' }, { body: '{"challenge":"c"}' }],
  ['mailchimp', { method: 'GET' as const }, { status: 200 }],
  ['trello', { method: 'HEAD' as const }, { status: 200 }],
  ['surveymonkey', { method: 'HEAD' as const }, { status: 200 }],
  [
    'okta',
    { method: 'GET' as const, headers: { 'x-okta-verification-challenge': 'c' } },
    { body: '{"verification":"c"}' },
  ],
  [
    'ringcentral',
    { headers: { 'Validation-Token': 'c' } },
    { headers: { 'Validation-Token': 'c' } },
  ],
  [
    'woocommerce',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'webhook_id=1' },
    { status: 200 },
  ],
  ['slack', { method: 'GET' as const, url: '?ssl_check=1' }, { status: 200 }],
  [
    'moralis',
    { body: '{"streamId":"","chainId":"","block":{"hash":"","number":"","timestamp":""}}' },
    { status: 200 },
  ],
])('%s is answered before anything is signed', async (source, sent, answer) => {
  expect(createPlatformVerifier(await presetOf(source)).answerTo(sent, {})).toMatchObject(answer)
})

test.each([
  ['xero', { body: '{"events":[],"entropy":"e"}' }],
  ['viber', { body: '{"event":"webhook"}' }],
  ['marqeta', { body: '{"pings":[{"token":"marqeta","payload":"healthcheck"}]}' }],
  ['snyk', { headers: { 'X-Snyk-Event': 'ping/v0' } }],
  ['sparkpost', { body: '[{"msys":{}}]' }],
  ['wise', { headers: { 'X-Test-Notification': 'true' } }],
])('%s is answered once it is verified', async (source, sent) => {
  const { answerTo, answerToSigned } = createPlatformVerifier(await presetOf(source))
  expect(answerTo(sent, {})).toBeNull()
  expect(answerToSigned(sent, {})).toMatchObject({ status: 200 })
  const event = {
    headers: { 'X-MessageSystems-Batch-ID': 'b' },
    body: '{"event":"message","events":[{"eventType":"a"}]}',
  }
  expect(answerToSigned(event, {})).toBeNull()
})
