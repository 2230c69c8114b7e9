import { expect, test } from '@jest/globals'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { checkBody, limitsOf } from './check-body.ts'
import { parseBodyText } from './parse-request.ts'

const routes: Record<string, Route> = routeCatalog('Posthorn')

async function read(name: string, text: string): Promise<unknown> {
  const route = routes[name] as Route
  return checkBody(route, text, await parseBodyText(text, limitsOf(route)))
}

const MIB = 1024 * 1024

test.each([
  [
    'createBatch',
    `{"events":[${'{"payload":{}},'.repeat(400_000)}{}]}`,
    { code: 'BATCH_TOO_LARGE', details: [{ path: 'events' }] },
  ],
  [
    'createEndpoint',
    `{"url":"https://example.com","eventTypes":[${'{},'.repeat(MIB / 4)}{}]}`,
    { code: 'BAD_REQUEST', details: [{ path: 'eventTypes' }] },
  ],
  [
    'createEndpoint',
    `{"filter":[{"path":"$.a","op":"eq","value":[${'[],'.repeat(MIB / 4)}[]]}]}`,
    { code: 'BAD_REQUEST', message: expect.stringMatching(/too many values/) },
  ],
  [
    'createSsoDomain',
    `{"payload":{"a":[${'[],'.repeat(MIB / 4)}[]]}}`,
    { code: 'BAD_REQUEST', message: expect.stringMatching(/too many values/) },
  ],
])('a body with too many values to be built is refused: %s', async (name, text, refusal) => {
  await expect(read(name, text)).rejects.toMatchObject(refusal)
})

test('a payload may have as many values as its bytes allow', async () => {
  const payload = { a: Array.from({ length: MIB / 5 }, () => []) }
  const event = { eventType: 'a', payload }
  expect(await read('createEvent', JSON.stringify(event))).toMatchObject(event)
})

test('a batch may have as many fields as its events may have together', async () => {
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, 'v']))
  const events = Array.from({ length: 100 }, (_, n) => ({
    idempotencyKey: `key-${n}`,
    destination: 'https://example.com/hook',
    headers,
    payload: { list: Array.from({ length: 5_000 }, () => 1) },
  }))
  expect(await read('createBatch', JSON.stringify({ events }))).toMatchObject({
    events: events.map((event) => ({ ...event, payload: {} })),
  })
})
