/**
 * Keys that a platform publishes, fetched from a key server of this test through the egress guard,
 * as in the product.
 */
import { createServer, type Server } from 'node:http'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createEgress, type Egress } from '@posthorn/egress/egress'
import { preset as shipstation } from '@posthorn/inbound/platforms/shipstation'
import type { InboundRequest } from '@posthorn/inbound/request'
import {
  type SourceRef,
  createFetchedKeys,
  MAX_FETCHES_OF_SOURCE,
  MAX_FETCHES_OF_TENANT,
} from '@posthorn/inbound/fetched-keys'
import { createVerifier, type Verifier } from '@posthorn/inbound/verifier'

const BODY = Buffer.from('{"resource_type":"API_TRACK"}')

let now: number
let published: { kid: string; key: KeyObject }[]
let asked: string[]
let keyServer: Server
let egress: Egress
let verifier: Verifier
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1)
  published = []
  asked = []
  keyServer = createServer((request, response) => {
    asked.push(request.url as string)
    const keys = published.map(({ kid, key }) => ({ kid, ...key.export({ format: 'jwk' }) }))
    response.end(JSON.stringify({ keys }))
  })
  await new Promise<void>((done) => keyServer.listen(0, '127.0.0.1', done))
  const { port } = keyServer.address() as AddressInfo
  egress = createEgress({ allowCidrs: ['127.0.0.0/8'], maxResponseBodyBytes: 256 * 1024 })
  verifier = createVerifier({
    async fetchText(url) {
      expect(url.origin).toBe('https://api.shipengine.com')
      const local = `http://127.0.0.1:${port}${url.pathname}`
      const ask = { url: local, method: 'GET', headers: {}, body: '', timeoutMs: 2_000 }
      const answer = await egress.send(ask)
      if (answer.outcome === 'error') throw new Error(answer.detail)
      return answer.body
    },
    now: () => now,
  })
})
afterEach(async () => {
  await egress.close()
  await new Promise((done) => keyServer.close(done))
})

function newKey(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { published: { kid, key: publicKey }, kid, privateKey }
}

function signed({ kid, privateKey }: { kid: string; privateKey: KeyObject }): InboundRequest {
  const time = new Date(now).toISOString()
  const signature = sign('sha256', Buffer.concat([Buffer.from(`${time}.`), BODY]), privateKey)
  const headers = {
    'x-shipengine-rsa-sha256-signature': signature.toString('base64'),
    'x-shipengine-rsa-sha256-key-id': kid,
    'x-shipengine-timestamp': time,
  }
  return {
    method: 'POST',
    url: new URL('https://hooks.example.com/inbound/abcdefgh'),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: BODY,
    receivedAt: now,
  }
}

const SOURCE_REF: SourceRef = { tenantId: 'tenant', id: 'source' }

async function outcomeOf(request: InboundRequest, source = SOURCE_REF): Promise<string> {
  const result = await verifier.verify(shipstation, request, {}, source)
  return result.outcome === 'rejected' ? result.reason : result.outcome
}

test('are fetched once, cached, and fetched again when a new one signs', async () => {
  const [first, second] = [newKey('one'), newKey('two')]
  published = [first.published]
  expect(await outcomeOf(signed(first))).toBe('verified')
  expect(await outcomeOf(signed(first))).toBe('verified')
  expect(asked).toEqual(['/jwks'])

  published = [first.published, second.published]
  now += 60_000
  expect(await outcomeOf(signed(second))).toBe('verified')
  expect(asked).toHaveLength(2)
})

test('are fetched once a minute at most for key ids that nobody has', async () => {
  const known = newKey('one')
  published = [known.published]
  for (let forged = 0; forged < 50; forged += 1) {
    expect(await outcomeOf(signed({ ...known, kid: `forged-${forged}` }))).toBe('unknown_key')
  }
  expect(asked.length).toBeLessThanOrEqual(2)
  now += 60_000
  expect(await outcomeOf(signed({ ...known, kid: 'forged again' }))).toBe('unknown_key')
  expect(asked.length).toBeLessThanOrEqual(3)
})

test('that can’t be fetched leave the request to be sent again, and cached ones stay in use', async () => {
  const known = newKey('one')
  const { port } = keyServer.address() as AddressInfo
  await new Promise((done) => keyServer.close(done))
  expect(await outcomeOf(signed(known))).toBe('unavailable')
  published = [known.published]
  await new Promise<void>((done) => keyServer.listen(port, '127.0.0.1', done))
  now += 60_000
  expect(await outcomeOf(signed(known))).toBe('verified')
  await new Promise((done) => keyServer.close(done))
  now += 3_600_000
  expect(await outcomeOf(signed(known))).toBe('verified')
  await new Promise<void>((done) => keyServer.listen(port, '127.0.0.1', done))
})

test('made-up key ids at one source keep no other from a key that is new', async () => {
  const [known, rotated] = [newKey('one'), newKey('two')]
  published = [known.published]
  const flooded = { tenantId: 'other', id: 'flooded' }
  for (let forged = 0; forged < 100; forged += 1)
    await outcomeOf(signed({ ...known, kid: `forged-${forged}` }), flooded)
  published = [rotated.published]
  now += 2_000
  expect(await outcomeOf(signed(rotated), flooded)).toBe('unknown_key')
  expect(await outcomeOf(signed(rotated))).toBe('verified')
})

/** Each address of the key server holds a certificate; those that begin with /no are refused. */
function certificates() {
  const at: string[] = []
  const { port } = keyServer.address() as AddressInfo
  keyServer.removeAllListeners('request')
  keyServer.on('request', (request, response) => {
    at.push(request.url as string)
    response.statusCode = request.url?.startsWith('/no') ? 404 : 200
    response.end(`certificate of ${request.url}`)
  })
  const keys = createFetchedKeys({
    async fetchText({ pathname }) {
      const url = `http://127.0.0.1:${port}${pathname}`
      const ask = { url, method: 'GET', headers: {}, body: '', timeoutMs: 2_000 }
      const answer = await egress.send(ask)
      if (answer.outcome === 'error' || answer.statusCode !== 200) throw new Error('refused')
      return answer.body
    },
    now: () => now,
  })
  const textAt = (path: string, source: SourceRef): Promise<string> =>
    keys.of(source).text(new URL(path, 'https://certificates.example.com'))
  return { at, textAt }
}

test('addresses that a stranger makes up use up the quota of one source, and of no other', async () => {
  const { at, textAt } = certificates()
  const [flooded, sister, stranger] = [
    { tenantId: 'a', id: 'a1' },
    { tenantId: 'a', id: 'a2' },
    { tenantId: 'b', id: 'b1' },
  ] as const
  expect(await textAt('/kept', flooded)).toBe('certificate of /kept')
  for (let n = 0; n < 100; n += 1) await expect(textAt(`/no-${n}`, flooded)).rejects.toThrow()
  expect(at).toHaveLength(MAX_FETCHES_OF_SOURCE)
  await expect(textAt('/new', flooded)).rejects.toThrow('asked enough')
  expect(await textAt('/kept', flooded)).toBe('certificate of /kept')
  expect(await textAt('/new', sister)).toBe('certificate of /new')
  expect(await textAt('/other', stranger)).toBe('certificate of /other')
  // What one source has fetched is for everybody; its failures are its own.
  expect(await textAt('/new', flooded)).toBe('certificate of /new')
  at.length = 0
  await expect(textAt('/no-0', stranger)).rejects.toThrow('refused')
  await expect(textAt('/no-0', stranger)).rejects.toThrow('refused')
  expect(at).toEqual(['/no-0'])
})

test('all sources of a tenant together have a quota, which is not another tenant’s', async () => {
  const { at, textAt } = certificates()
  for (let source = 0; source < 30; source += 1) {
    for (let n = 0; n < MAX_FETCHES_OF_SOURCE; n += 1)
      await textAt(`/no-${source}-${n}`, { tenantId: 'a', id: `a${source}` }).catch(() => {})
  }
  expect(at).toHaveLength(MAX_FETCHES_OF_TENANT)
  await expect(textAt('/ok', { tenantId: 'a', id: 'a-other' })).rejects.toThrow('asked enough')
  expect(await textAt('/ok', { tenantId: 'b', id: 'b1' })).toBe('certificate of /ok')
  now += 60_000
  expect(await textAt('/later', { tenantId: 'a', id: 'a1' })).toBe('certificate of /later')
})

test('a process has no ceiling of its own: 400 sources with a key each are all served', async () => {
  const { textAt } = certificates()
  const sources = Array.from({ length: 400 }, (_, n) => ({ tenantId: `t${n}`, id: `s${n}` }))
  for (const [n, source] of sources.entries())
    expect(await textAt(`/key-${n}`, source)).toBe(`certificate of /key-${n}`)
  // All of them are still cached, a minute later and with the platform gone.
  keyServer.closeAllConnections()
  await new Promise((done) => keyServer.close(done))
  now += 120_000
  for (const [n, source] of sources.entries())
    expect(await textAt(`/key-${n}`, source)).toBe(`certificate of /key-${n}`)
  await new Promise<void>((done) => keyServer.listen(0, '127.0.0.1', done))
}, 30_000)

test('large answers push out those of their own tenant, and nobody else’s', async () => {
  let asked: string[] = []
  const keys = createFetchedKeys({
    fetchText: async ({ pathname }) => {
      asked.push(pathname)
      return pathname.startsWith('/large') ? 'x'.repeat(256 * 1024) : 'small'
    },
    now: () => now,
  })
  const ask = (path: string, tenantId: string, id = tenantId) =>
    keys.of({ tenantId, id }).text(new URL(path, 'https://keys.example.com'))
  await ask('/small', 'b')
  await ask('/own', 'a')
  for (let n = 0; n < 100; n += 1) await ask(`/large-${n}`, 'a', `source ${n >> 4}`)
  asked = []
  await ask('/small', 'b')
  expect(asked).toEqual([])
  await ask('/own', 'a', 'another')
  expect(asked).toEqual(['/own'])
})

test('addresses that never answer delay one source, and its tenant by a share', async () => {
  const keys = createFetchedKeys({
    fetchText: async ({ pathname }) =>
      pathname === '/ok' ? 'ok' : await new Promise<string>(() => {}),
    now: () => now,
  })
  const ask = (path: string, tenantId: string, id: string) =>
    keys.of({ tenantId, id }).text(new URL(path, 'https://keys.example.com'))
  for (let n = 0; n < 10; n += 1) void ask(`/never-${n}`, 'a', 'a1').catch(() => {})
  await expect(ask('/ok', 'a', 'a1')).rejects.toThrow('asked enough')
  expect(await ask('/ok', 'a', 'a2')).toBe('ok')
  for (let n = 0; n < 40; n += 1) void ask(`/never-${n}b`, 'a', `more ${n}`).catch(() => {})
  await expect(ask('/new', 'a', 'last')).rejects.toThrow('asked enough')
  expect(await ask('/ok', 'b', 'b1')).toBe('ok')
})
