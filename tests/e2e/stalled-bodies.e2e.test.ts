/**
 * Senders that hold their bodies back hold themselves back and nobody else, also where every door
 * is in one process: not the API's senders when strangers stall at inbound addresses, not one key
 * when another stalls.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Answer, type Posthorn, startPosthorn } from './posthorn.ts'

const MIB = 1024 * 1024
const SMALL = 64 * 1024
/** A slow body is cut after 5 s; the rest is for a busy machine. */
const CUT_MS = 30_000

let posthorn: Posthorn
let sources: string[]
const sockets = new Set<Socket>()

beforeAll(async () => {
  posthorn = await startPosthorn('standalone', { EGRESS_ALLOW_CIDRS: '' })
  sources = await Promise.all(Array.from({ length: 12 }, addSource))
}, 150_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await posthorn?.stop()
}, 60_000)

async function addSource(): Promise<string> {
  const body = { name: 's', source: 'github', sourceConfig: { secret: 'sixteen-characters' } }
  const made = await posthorn.call('POST', '/api/v1/inbound-endpoints', body)
  return new URL(made.body.url).pathname
}

async function addKey(): Promise<string> {
  const body = { name: 'k', scopes: ['events:write', 'endpoints:write'] }
  return (await posthorn.call('POST', '/api/v1/api-keys', body)).body.key
}

/** All of a body but its last byte. `ended` resolves with what came until the connection's end. */
function stall(path: string, bytes: number, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(posthorn.url)
  const socket = connect(Number(port), hostname)
  sockets.add(socket)
  socket.on('error', () => {})
  const head = { Host: hostname, 'Content-Type': 'application/json', ...headers }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}Content-Length: ${bytes}\r\n\r\n`)
  socket.write(`{"payload":{"a":"`.padEnd(bytes - 1, 'x'))
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return { socket, ended, answered: () => text }
}

async function post(bytes: number, apiKey = posthorn.apiKey): Promise<Answer> {
  const event = { eventType: 'nobody.subscribes', payload: { a: 'x'.repeat(bytes - 100) } }
  const headers = { 'X-API-Key': apiKey, 'X-Idempotency-Key': crypto.randomUUID() }
  return await posthorn.call('POST', '/api/v1/events', event, headers)
}

/** Until the server has read what was sent: as many as are over their share have their answer. */
async function untilRefused(stalled: ReturnType<typeof stall>[], times: number): Promise<void> {
  await eventually(() => {
    const refused = stalled.filter(({ answered }) => answered().startsWith('HTTP/1.1 503 '))
    expect(refused.length).toBeGreaterThanOrEqual(times)
  })
}

describe('bodies that stall', () => {
  test(
    'at four inbound sources leave every other door open, and are cut off by their rate',
    async () => {
      const before = await residentBytes()
      const stalled = sources
        .slice(0, 4)
        .flatMap((path) => Array.from({ length: 20 }, () => stall(path, MIB)))
      // A source holds 8 MiB: of 20 bodies of 1 MiB twelve are told to come again.
      await untilRefused(stalled, 4 * 12)
      expect((await post(1_000)).status).toBe(201)
      expect((await post(200 * 1024)).status).toBe(201)
      expect((await posthorn.call('GET', '/api/v1/endpoints')).status).toBe(200)
      const other = await fetch(posthorn.url + sources[4], {
        method: 'POST',
        body: 'x'.repeat(MIB),
      })
      expect(other.status).toBe(401)
      const held = await Promise.all(
        stalled.filter(({ answered }) => answered() === '').map(({ ended }) => ended),
      )
      expect(held.length).toBeGreaterThan(0)
      for (const text of held) expect(text).toMatch(/^HTTP\/1.1 408 /)
      // 32 MiB were held; what the process keeps besides is its own.
      expect((await residentBytes()) - before).toBeLessThan(400 * MIB)
    },
    CUT_MS,
  )

  test(
    'of one key cost no other key anything, small ones and large ones',
    async () => {
      const [greedy, other] = [await addKey(), await addKey()]
      const headers = { 'X-API-Key': greedy, 'X-Idempotency-Key': 'never-ends' }
      // 2 MiB of small bodies, and 8 MiB of large ones beside them.
      const small = Array.from({ length: 300 }, () => stall('/api/v1/events', SMALL, headers))
      await untilRefused(small, 300 - 32 - 128)
      expect((await post(1_000, greedy)).status).toBe(503)
      expect((await post(1_000, other)).status).toBe(201)
      expect((await post(200 * 1024, other)).status).toBe(201)
      // The management API has a room of its own.
      expect((await posthorn.call('GET', '/api/v1/endpoints', undefined, headers)).status).toBe(200)
      const endpoint = { url: 'https://example.com/', eventTypes: ['a'] }
      const made = await posthorn.call('POST', '/api/v1/endpoints', endpoint, {
        'X-API-Key': greedy,
      })
      expect(made.status).toBe(201)
      for (const { socket } of small) socket.destroy()
      await eventually(async () => expect((await post(1_000, greedy)).status).toBe(201))
    },
    CUT_MS,
  )

  test(
    'of many sources at once leave room for one that sends',
    async () => {
      const stalled = sources
        .slice(0, 11)
        .flatMap((path) => Array.from({ length: 8 }, () => stall(path, MIB)))
      await untilRefused(stalled, 11 * 8 - 64)
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ a: 'x'.repeat(32 * 1024) })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(posthorn.url + sources[11], { method: 'POST', headers, body }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(401))
      for (const { socket } of stalled) socket.destroy()
    },
    CUT_MS,
  )

  test(
    'without a key that is known are refused before they are read',
    async () => {
      const stalled = Array.from({ length: 100 }, (_, n) =>
        stall('/api/v1/events', 300 * 1024, { 'X-API-Key': `made-up-${n}` }),
      )
      await eventually(() => {
        for (const { answered } of stalled) expect(answered()).toMatch(/^HTTP\/1.1 401 /)
      })
      expect((await post(200 * 1024)).status).toBe(201)
      for (const { socket } of stalled) socket.destroy()
    },
    CUT_MS,
  )
})

async function residentBytes(): Promise<number> {
  const { text } = await posthorn.call('GET', '/metrics')
  const [, bytes] = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text) ?? []
  expect(Number(bytes)).toBeGreaterThan(0)
  return Number(bytes)
}
