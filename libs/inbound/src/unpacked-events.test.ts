import { expect, test } from '@jest/globals'
import { deliveryIdOf, eventTypeOf } from './incoming-event.ts'
import { presetOf, requestOf, type TestRequest } from './platform-verifier.fixture.ts'
import { payloadOf } from './payload.fixture.ts'

async function read(source: string, sent: TestRequest) {
  const preset = await presetOf(source)
  const request = requestOf(sent)
  const payload = await payloadOf(request, preset)
  return [
    eventTypeOf(preset, null, request, payload),
    deliveryIdOf(preset, request, payload),
    payload.text,
  ]
}

function json(value: unknown): TestRequest {
  return { body: JSON.stringify(value) }
}

test('the type is the name of the member that tells what happened', async () => {
  const telegram = json({ update_id: 7, callback_query: {} })
  expect(await read('telegram', telegram)).toEqual(['callback_query', '7', telegram.body])
  const messaging = { sender: {}, recipient: {}, timestamp: 1, message: { mid: 'm' } }
  const messenger = json({ object: 'page', entry: [{ messaging: [messaging] }] })
  expect(await read('messenger', messenger)).toEqual(['message', 'm', messenger.body])
  expect((await read('messenger', json({ object: 'page', entry: [null] })))[0]).toBe('page')
  const twitter = json({ for_user_id: '1', tweet_create_events: [{}] })
  expect((await read('twitter', twitter))[0]).toBe('tweet_create_events')
  const sinch = json({ app_id: 'a', message_delivery_report: {} })
  expect((await read('sinch', sinch))[0]).toBe('message_delivery_report')
  const statuspage = json({ page: {}, component_update: { id: 'u' }, component: {} })
  expect(await read('statuspage', statuspage)).toEqual(['component_update', 'u', statuspage.body])
})

test('a list with a name, and a list in a field of a form, is opened', async () => {
  const marqeta = json({ transactions: [{ type: 'authorization', token: 't' }, { token: 'u' }] })
  expect(await read('marqeta', marqeta)).toEqual([
    'transactions.authorization',
    'transactions:t,u',
    marqeta.body,
  ])
  const events = '[{"event":"open","_id":"1","ts":5}]'
  const mandrill = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ mandrill_events: events }).toString(),
  }
  expect(await read('mandrill', mandrill)).toEqual([
    'open',
    '1:open:5',
    JSON.stringify({ mandrill_events: events }),
  ])
  expect((await read('mandrill', { ...mandrill, body: 'mandrill_events=%5B' }))[0]).toBe(
    'mandrill.event',
  )
})

test('Wix’s event is found in the JSON in the JSON in the token', async () => {
  const event = { eventType: 'OrderCreated', instanceId: 'i', data: JSON.stringify({ id: 'e' }) }
  const claims = Buffer.from(JSON.stringify({ data: JSON.stringify(event) })).toString('base64url')
  const body = `eyJhbGciOiJSUzI1NiJ9.${claims}.c2ln`
  expect(await read('wix', { body })).toEqual(['OrderCreated', 'e', JSON.stringify(event)])
})

test('an update and a deletion of YouTube’s are told apart', async () => {
  const entry =
    '<feed><updated>x</updated><entry><yt:videoId>v-1</yt:videoId><updated>2024</updated></entry></feed>'
  expect((await read('youtube', { body: entry })).slice(0, 2)).toEqual(['updated', 'v-1:2024'])
  const deleted =
    '<feed><at:deleted-entry ref="yt:video:v-1" when="2025"></at:deleted-entry></feed>'
  expect((await read('youtube', { body: deleted })).slice(0, 2)).toEqual(['deleted', 'v-1:2025'])
})

test('a platform that tells only what has changed is never deduplicated', async () => {
  const body = 'id=tr_1'
  const [, first] = await read('mollie-classic', { body })
  expect((await read('mollie-classic', { body }))[1]).not.toBe(first)
})
