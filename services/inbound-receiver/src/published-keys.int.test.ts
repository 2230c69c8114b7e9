/** Keys that a platform publishes, from a key server of our own, through the guard as in the product. */
import { createServer, type Server } from 'node:http'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createEgress, type Egress } from '@posthorn/egress/egress'
import { PRESETS } from '@posthorn/inbound/presets'
import type { InboundRequest } from '@posthorn/inbound/request'
import { createVerifier, type Verifier } from '@posthorn/inbound/verifier'

const shipstation = PRESETS.get('shipstation')!
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

async function outcomeOf(request: InboundRequest): Promise<string> {
  const verdict = await verifier.verify(shipstation, request, {})
  return verdict.outcome === 'rejected' ? verdict.reason : verdict.outcome
}

test('are fetched once, kept, and looked for again when a new one signs', async () => {
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

test('are asked for once a minute at most on behalf of key ids that nobody has', async () => {
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

test('that can’t be had leave the request to be sent again, and those that are kept go on', async () => {
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
