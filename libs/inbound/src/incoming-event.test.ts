import { expect, test } from '@jest/globals'
import { deliveryIdOf, eventTypeOf, forwardedHeaders } from './incoming-event.ts'
import { payloadOf } from './payload.fixture.ts'
import { preset as stripe } from './platforms/stripe.ts'
import type { InboundRequest } from './request.ts'

function post(body: string | Buffer, headers: Record<string, string> = {}): InboundRequest {
  return {
    method: 'POST',
    url: new URL('https://hooks.example.com/inbound/abcdefgh'),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body),
    receivedAt: 0,
  }
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test.each([
  ['an object as it was sent', '{ "b": 1.0, "a": "\\u00e9" }', {}, '{ "b": 1.0, "a": "\\u00e9" }'],
  ['a list', '[1.0, 2]', {}, '{"data":[1.0, 2]}'],
  ['a scalar', '12.50', {}, '{"data":12.50}'],
  ['a form', 'a=1&b=2&b=3', FORM, '{"a":"1","b":["2","3"]}'],
  ['a form of one JSON field', `payload=${encodeURIComponent('{"x": 1.0}')}`, FORM, '{"x": 1.0}'],
  ['a form with JSON among others', 'a=%7B%7D&b=1', FORM, '{"a":"{}","b":"1"}'],
  ['text', '<a>é</a>', {}, '{"text":"<a>é</a>"}'],
  ['nothing', '', {}, '{"text":""}'],
])('%s becomes its payload', async (_, body, headers, text) => {
  expect((await payloadOf(post(body, headers), stripe)).text).toBe(text)
})

test('bytes become base64 with their type', async () => {
  const { text } = await payloadOf(
    post(Buffer.from([0xff, 0x00]), { 'content-type': 'image/x' }),
    stripe,
  )
  expect(JSON.parse(text)).toEqual({ base64: '/wA=', contentType: 'image/x' })
})

test('a multipart form becomes its fields, and a broken one a text', async () => {
  const body =
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
    '--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n\r\nPNG\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  expect((await payloadOf(post(body, headers), stripe)).document).toEqual({ a: '1', f: 'x.png' })
  expect((await payloadOf(post('nonsense', headers), stripe)).document).toEqual({
    text: 'nonsense',
  })
})

test('the type comes from the endpoint’s path, else the preset’s, else the source', async () => {
  const request = post('{"type":"charge paid!","kind":"k"}', { 'x-event': 'push' })
  const payload = await payloadOf(request, stripe)
  expect(eventTypeOf(stripe, null, request, payload)).toBe('charge_paid_')
  expect(eventTypeOf(stripe, '$.kind', request, payload)).toBe('k')
  expect(eventTypeOf(stripe, '$.headers.X-Event', request, payload)).toBe('push')
  expect(eventTypeOf(stripe, '$.missing', request, payload)).toBe('stripe.event')
  const forged = post('{"type":"service.endpoint.disabled"}')
  const type = eventTypeOf(stripe, null, forged, await payloadOf(forged, stripe))
  expect(type).toBe('stripe.service.endpoint.disabled')
})

test('the delivery id is the platform’s own, or else the body’s hash', async () => {
  const idOf = async (body: string) => {
    const request = post(body)
    return deliveryIdOf(stripe, request, await payloadOf(request, stripe))
  }
  expect(await idOf('{"id":"evt_1"}')).toBe('evt_1')
  expect(await idOf('{"id":"a b"}')).toMatch(/^[0-9a-f]{64}$/)
  expect(await idOf(`{"id":"${'x'.repeat(300)}"}`)).toMatch(/^[0-9a-f]{64}$/)
  expect(await idOf('{"a":1}')).toBe(await idOf('{"a":1}'))
  expect(await idOf('{"a":1}')).not.toBe(await idOf('{"a":2}'))
})

test('the platform’s headers are forwarded, except those that prove who it is', () => {
  const request = post('{}', {
    'x-github-event': 'push',
    'stripe-signature': 't=1',
    'x-hub-signature-256': 'a',
    'x-gitlab-token': 's',
    authorization: 'Basic x',
    cookie: 'a=b',
    host: 'x',
    'x-odd': 'é',
  })
  expect(forwardedHeaders(stripe, request)).toEqual({ 'X-Inbound-X-Github-Event': 'push' })
})

test('a type may have several parts, and an id all ids of a batch', async () => {
  const preset = {
    ...stripe,
    eventType: ['{$.headers.X-Kind}.{$.events[*].action}', '{$.events[*].action}!'],
    deliveryId: ['{$.hook}/{$.events[*].id}'],
  }
  const batch = '{"hook":7,"events":[{"id":1,"action":"a"},{"id":2,"action":"b"}]}'
  const request = post(batch, { 'x-kind': 'order' })
  const payload = await payloadOf(request, preset)
  expect(eventTypeOf(preset, null, request, payload)).toBe('order.a')
  expect(eventTypeOf(preset, null, post(batch), payload)).toBe('a_')
  expect(deliveryIdOf(preset, request, payload)).toBe('7/1,2')
})

test('an envelope is opened for the paths only: the event stays as it came', async () => {
  const unpack = (document: unknown) => JSON.parse((document as { inner: string }).inner)
  const preset = { ...stripe, unpack }
  const request = post(JSON.stringify({ inner: '{"type":"paid","id":"e1"}' }))
  const payload = await payloadOf(request, preset)
  expect(eventTypeOf(preset, null, request, payload)).toBe('paid')
  expect(deliveryIdOf(preset, request, payload)).toBe('e1')
  expect(JSON.parse(payload.text)).toHaveProperty('inner')
})

test('the event of a body that is a token is its claims', async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { type: 'call', data: '{"type":"inner"}' }
  const body = `${part({ alg: 'HS256' })}.${part(claims)}.AAAA`
  const rule = (event: { claim?: string }) => ({
    verify: {
      kind: 'jwt' as const,
      at: { wholeBody: true as const },
      algorithms: ['HS256'],
      key: { config: 'secret', as: 'utf8' as const },
      event,
    },
  })
  expect((await payloadOf(post(body), rule({}))).document).toEqual(claims)
  expect((await payloadOf(post(body), rule({ claim: 'data' }))).document).toEqual({
    type: 'inner',
  })
  expect((await payloadOf(post(body), stripe)).document).toEqual({ text: body })
  expect((await payloadOf(post('{"a":1}'), rule({}))).document).toEqual({ a: 1 })
})
