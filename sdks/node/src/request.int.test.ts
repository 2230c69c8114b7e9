/** The client against a server that fails in every way that a network and an API can. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import {
  Posthorn,
  PosthornApiError,
  PosthornConnectionError,
  PosthornTimeoutError,
} from './posthorn-node.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server
let answers: Answer[]
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
let posthorn: Posthorn

beforeEach(async () => {
  ;[answers, requests] = [[], []]
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      requests.push({ method, url, headers, body })
      const answer = answers.shift() ?? json(500, { error: 'no answer is left', code: 'TEST' })
      answer(request, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  posthorn = new Posthorn({ apiKey: 'ph_test_key', baseUrl: `http://127.0.0.1:${port}/` })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}
const reset: Answer = (request) => request.socket.destroy()
const never: Answer = () => undefined
const EVENT = { eventType: 'order.paid', payload: { n: 1 } }
const MADE = { id: 'e1', status: 'queued' }
const tooMany = (after: string): Answer =>
  json(429, { error: 'too many', code: 'RATE_LIMITED' }, { 'Retry-After': after })

test('an event keeps one key over resets, errors and refusals, until it is accepted', async () => {
  answers.push(reset, json(500, {}), json(503, {}), json(201, MADE))
  expect(await posthorn.events.create(EVENT)).toEqual(MADE)
  const keys = requests.map(({ headers }) => headers['x-idempotency-key'])
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/events' })
  expect(JSON.parse(requests[3]?.body ?? '')).toEqual(EVENT)
})

test('an event whose answer was lost is read, not refused as a repetition', async () => {
  const details = { eventId: 'e1' }
  const used = json(409, { error: 'used before', code: 'CONFLICT', details })
  answers.push(reset, used, json(200, MADE))
  expect(await posthorn.events.create(EVENT)).toEqual(MADE)
  expect(requests[2]).toMatchObject({ method: 'GET', url: '/api/v1/events/e1' })
  answers.push(used)
  const refused = posthorn.events.create(EVENT, { idempotencyKey: 'mine' })
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'CONFLICT', details })
  expect(requests[3]?.headers['x-idempotency-key']).toBe('mine')
})

test('Retry-After is waited for, and a call that could not wait so long ends at once', async () => {
  answers.push(tooMany('1'), json(200, { id: 'c1' }))
  const startedAt = performance.now()
  expect(await posthorn.me.get()).toEqual({ id: 'c1' })
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
  answers.push(tooMany('3600'))
  const late = posthorn.me.get()
  await expect(late).rejects.toThrow(PosthornTimeoutError)
  expect(requests).toHaveLength(3)
})

test('a change that may have been made is not made again; a refusal is', async () => {
  const endpoint = { url: 'https://example.com/', eventTypes: ['*'] }
  for (const answer of [reset, json(500, {})]) {
    answers.push(answer)
    await expect(posthorn.endpoints.create(endpoint)).rejects.toThrow()
  }
  expect(requests).toHaveLength(2)
  answers.push(json(503, {}), json(201, { id: 'x' }))
  expect(await posthorn.endpoints.create(endpoint)).toEqual({ id: 'x' })
})

test('errors say what happened', async () => {
  answers.push(
    json(
      400,
      { error: 'url is missing', code: 'BAD_REQUEST', details: [{ field: 'url' }] },
      { 'X-Request-Id': 'r1' },
    ),
  )
  const error = await posthorn.me.get().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PosthornApiError)
  expect(error).toMatchObject({
    message: 'url is missing',
    status: 400,
    code: 'BAD_REQUEST',
    details: [{ field: 'url' }],
    requestId: 'r1',
    retryable: false,
  })
  answers.push((_, response) => response.writeHead(404).end('<html>no such page</html>'))
  await expect(posthorn.me.get()).rejects.toMatchObject({ code: 'HTTP_404' })
})

test('nothing is repeated that must not be: no retries, or none left', async () => {
  answers.push(reset)
  await expect(posthorn.me.get({ maxRetries: 0 })).rejects.toThrow(PosthornConnectionError)
  answers.push(reset, reset)
  await expect(posthorn.me.get({ maxRetries: 1 })).rejects.toMatchObject({ retryable: true })
  expect(requests).toHaveLength(3)
})

test('a call ends with its deadline, and with its caller’s signal', async () => {
  answers.push(never)
  await expect(posthorn.me.get({ timeoutMs: 100 })).rejects.toThrow(PosthornTimeoutError)
  answers.push(never)
  const controller = new AbortController()
  const call = posthorn.me.get({ signal: controller.signal })
  controller.abort(new Error('the caller left'))
  await expect(call).rejects.toThrow('the caller left')
  await expect(posthorn.me.get({ signal: controller.signal })).rejects.toThrow('the caller left')
})

test('a list goes through its pages, with what it was asked', async () => {
  const page = (ids: string[], cursor: string | null): Answer =>
    json(200, { data: ids.map((id) => ({ id })), pagination: { hasMore: cursor !== null, cursor } })
  answers.push(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null))
  const ids: string[] = []
  for await (const event of posthorn.events.list({ status: 'dead', limit: 2 })) ids.push(event.id)
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/v1/events?status=dead&limit=2',
    '/api/v1/events?status=dead&limit=2&cursor=c1',
    '/api/v1/events?status=dead&limit=2&cursor=c2',
  ])
  answers.push(page(['a', 'b'], 'c1'))
  await expect(posthorn.events.list().toArray(1)).rejects.toThrow(RangeError)
})

test('headers and paths carry any text', async () => {
  answers.push(json(200, {}), json(204, null))
  await posthorn.eventTypes.getByName('a/b c', { subAccountId: 'Zoë', projectId: 'p1' })
  expect(requests[0]).toMatchObject({
    url: '/api/v1/event-types/by-name/a%2Fb%20c',
    headers: { 'x-project-id': 'p1', 'x-api-key': 'ph_test_key' },
  })
  const name = String(requests[0]?.headers['x-sub-account-id'])
  expect(Buffer.from(name, 'latin1').toString('utf8')).toBe('Zoë')
})

test('what would lead to another route is no id, and is not sent', async () => {
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    const calls = [
      posthorn.endpoints.delete(id),
      posthorn.eventTypes.getByName(id),
      posthorn.events.listDeliveries(id),
      posthorn.endpoints.listVersions(id).page(),
    ]
    for (const call of calls) await expect(call).rejects.toThrow(TypeError)
  }
  await expect(posthorn.endpoints.delete('..')).rejects.toThrow('".." is no id')
  expect(requests).toEqual([])
  answers.push(json(200, {}))
  await posthorn.events.get('a..{eventId}')
  expect(requests[0]?.url).toBe('/api/v1/events/a..%7BeventId%7D')
})

test('options are checked', () => {
  const baseUrl = 'https://hooks.example.com'
  expect(() => new Posthorn({ apiKey: '', baseUrl })).toThrow('apiKey')
  expect(() => new Posthorn({ apiKey: 'k', baseUrl: 'hooks.example.com' })).toThrow('baseUrl')
  expect(() => new Posthorn({ apiKey: 'k', baseUrl, maxRetries: -1 })).toThrow('maxRetries')
  expect(() => new Posthorn({ apiKey: 'k', baseUrl, timeoutMs: 0 })).toThrow('timeoutMs')
})
