/** Scripts are checked when they are saved, and can be tested. */
import { expect, test } from '@jest/globals'
import { tenant, usePortal } from '../portal.fixture.ts'

const GOOD = 'function transform(event) { return { payload: event.payload } }'
const ENDPOINT = { url: 'https://example.com/hook', eventTypes: ['order.*'] }

usePortal('for-all-tests')

/** A script with this body. */
async function testScript(code: string, event: object = { payload: { n: 1 } }) {
  const transformation = `function transform(event) { ${code} }`
  return await tenant.call('POST', '/transformations/test', { transformation, event })
}

test('an endpoint is saved with a script that loads, and not with one that does not', async () => {
  const made = await tenant.call('POST', '/endpoints', { ...ENDPOINT, transformation: GOOD })
  expect(made.status).toBe(201)
  expect(made.body.transformation).toBe(GOOD)
  const path = `/endpoints/${made.body.id}`
  for (const [transformation, message] of [
    ['function transform(', /^transformation SyntaxError: .*\(line 1\)$/],
    ['const x = 1', /^transformation it must define function transform\(event\)$/],
    ['', /must define function transform/],
    ['for (;;);', /ran for more than 100 ms/],
    ['new ArrayBuffer(1e9)', /more than 16 MiB of memory/],
  ] as const) {
    const created = await tenant.call('POST', '/endpoints', { ...ENDPOINT, transformation })
    const changed = await tenant.call('PATCH', path, { transformation })
    for (const answer of [created, changed]) {
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({
        code: 'BAD_REQUEST',
        error: expect.stringMatching(message),
        details: [{ path: 'transformation' }],
      })
    }
  }
  expect((await tenant.call('GET', '/endpoints')).body.data).toHaveLength(1)
  const none = await tenant.call('PATCH', path, { transformation: null })
  expect(none.body).toMatchObject({ transformation: null, version: 2 })
})

test('a script is tested with an event, and the answer is what would be sent', async () => {
  const event = {
    id: 'e-1',
    eventType: 'order.paid',
    payload: { a: { b: 2 } },
    headers: { 'X-A': '1' },
    createdAt: '2026-01-02T03:04:05Z',
  }
  const answer = await testScript('return { payload: { ...event } }', event)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ result: { payload: event, headers: event.headers }, error: null })
  const defaults = await testScript('return { payload: { ...event } }')
  expect(defaults.body.result).toMatchObject({
    headers: {},
    payload: { eventType: 'test', payload: { n: 1 }, headers: {} },
  })
})

test('an unchanged payload is shown to the byte, and another field named payload is ignored', async () => {
  const text = `{"event":{"headers":{"payload":"x"},"payload":{ "b": 1.0, "a": "\\u00e9" }},
    "transformation":"function transform() { return {} }"}`
  const answer = await tenant.call('POST', '/transformations/test', text)
  expect(answer.text).toBe(
    '{"result":{"payload":{ "b": 1.0, "a": "\\u00e9" },"headers":{"payload":"x"}},"error":null}',
  )
})

test('a drop differs from a failure, and a failure is an answer', async () => {
  expect((await testScript('return null')).body).toEqual({ result: null, error: null })
  for (const [code, error] of [
    ['event.payload.a.b', "TypeError: cannot read property 'b' of undefined (line 1)"],
    ['for (;;);', 'it ran for more than 100 ms'],
    ['return { url: "https://x.example" }', expect.stringContaining('a url')],
    ['}', expect.stringContaining('SyntaxError')],
    [
      'return { headers: { "X-Service-Event-ID": "x" } }',
      'headers.X-Service-Event-ID is reserved and set by the service',
    ],
  ] as const) {
    expect((await testScript(code)).body).toEqual({ result: null, error })
  }
})

test('an event as large as an inbound one is accepted', async () => {
  const payload = { text: 'x'.repeat(1_000_000) }
  const answer = await testScript('return { payload: { n: event.payload.text.length } }', {
    payload,
  })
  expect(answer.body).toMatchObject({ result: { payload: { n: 1_000_000 } }, error: null })
})

test('a request that does not fit is refused', async () => {
  for (const [body, path] of [
    [{ event: { payload: {} } }, 'transformation'],
    [{ transformation: GOOD }, 'event'],
    [{ transformation: GOOD, event: {} }, 'event.payload'],
    [{ transformation: GOOD, event: { payload: {}, url: 'x' } }, 'event.url'],
    [
      { transformation: GOOD, event: { payload: {}, headers: { Host: 'x' } } },
      'event.headers.Host',
    ],
    [{ transformation: 'x'.repeat(65_537), event: { payload: {} } }, 'transformation'],
    [{ transformation: GOOD, event: { payload: {} }, save: true }, 'save'],
  ] as const) {
    const answer = await tenant.call('POST', '/transformations/test', body)
    expect(answer.status).toBe(400)
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual([path])
  }
})
