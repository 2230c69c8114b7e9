/**
 * Requests that a stranger sends to a source, and requests that a tenant sends to its own with a
 * valid signature.
 */
import type { Socket } from 'node:net'
import { createHash, createHmac } from 'node:crypto'
import { headersUsed } from '@posthorn/inbound/incoming-event'
import { PLATFORMS } from '@posthorn/inbound/platforms'
import { findPreset } from '@posthorn/inbound/presets'
import { eventually } from '@posthorn/testing/eventually'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import { isDelivered } from '../is-delivered.ts'
import { signedGitHub } from '../signed-github.ts'
import { FORGED_JWT, forgedHeaders, MIB, type Shape, SHAPES } from './shapes.ts'

const KIB = 1024
/**
 * The shapes of most platforms' signatures: `t=…,v1=…`, hex, a prefix. Each passes some of the
 * cheap refusals.
 */
const FORGERIES = [
  `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  '0'.repeat(64),
  `sha256=${'0'.repeat(64)}`,
  Buffer.alloc(32).toString('base64'),
  FORGED_JWT,
]

function shapeOf(name: string): Shape {
  const shape = SHAPES.find((one) => one.name === name)
  if (shape === undefined) throw new Error(`no shape ${name}`)
  return shape
}

function forged(source: string, shape: string, bytes: number, headers: Record<string, string>) {
  return async (arena: Arena): Promise<Dose> => {
    const tenant = await arena.newTenant()
    const inbound = await tenant.createSource(source)
    const { type, body } = shapeOf(shape)
    const sent = body(bytes)
    return async () => {
      const { status } = await arena.send(inbound.url, {
        method: 'POST',
        headers: { 'Content-Type': type, ...headers },
        body: sent,
      })
      return status >= 500 ? [`a forged request was answered ${status}`] : []
    }
  }
}

/** Every shape at every preset, with each kind of forged signature. */
function everyPreset(sources: readonly string[], bytes: number) {
  return async (arena: Arena): Promise<Dose> => {
    const tenant = await arena.newTenant()
    const targets = await inTurn(sources, async (source) => {
      const preset = await findPreset(source)
      if (preset === null) throw new Error(`no preset ${source}`)
      return {
        source,
        url: (await tenant.createSource(source)).url,
        names: [...headersUsed(preset.verify)],
      }
    })
    const bodies = SHAPES.map(({ type, body }) => ({ type, body: body(bytes) }))
    return async () => {
      const problems: string[] = []
      for (const [n, { source, url, names }] of targets.entries()) {
        for (const [at, { type, body }] of bodies.entries()) {
          const value = FORGERIES[(n + at) % FORGERIES.length] as string
          const headers = { 'Content-Type': type, ...forgedHeaders(names, value) }
          const { status } = await arena.send(url, { method: 'POST', headers, body })
          // 503 means a public key that cannot be fetched here.
          if (status >= 500 && status !== 503) problems.push(`${source} answered ${status}`)
        }
      }
      return problems
    }
  }
}

async function inTurn<One, Result>(
  from: readonly One[],
  make: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const made: Result[] = []
  for (const one of from) made.push(await make(one))
  return made
}

/**
 * A FIFO endpoint whose lane is a value of the payload, and an ordinary event behind the nested
 * one.
 */
async function nested(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  await tenant.create('endpoints', {
    url: `${arena.sinkUrl}/fifo`,
    eventTypes: ['push', 'after'],
    fifo: true,
    fifoPartitionKey: '$.lane',
  })
  const inbound = await tenant.createSource('github')
  const levels = 5_000
  return async () => {
    const body = `{"lane":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
    await arena.send(inbound.url, { method: 'POST', headers: signedGitHub(body), body })
    const behind = await tenant.postEvent({ eventType: 'after', payload: { lane: 1 } })
    return await isDelivered(tenant, behind.body?.id, 8_000)
  }
}

/** Signed as the platform would sign, so that the body is verified and processed. */
function signedBy(
  source: string,
  sign: (arena: Arena) => Promise<{ headers: Record<string, string>; body: Buffer }>,
) {
  return async (arena: Arena): Promise<Dose> => {
    const tenant = await arena.newTenant()
    const inbound = await tenant.createSource(source)
    const { headers, body } = await sign(arena)
    return async () => {
      const { status } = await arena.send(inbound.url, { method: 'POST', headers, body })
      return status === 401 ? ['the signature of the test itself was refused'] : []
    }
  }
}

async function youtubeFeed(): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const body = Buffer.from('<at:deleted-entry '.repeat((250 * KIB) / 18))
  const signature = createHmac('sha1', 'secret-secret').update(body).digest('hex')
  const headers = { 'Content-Type': 'application/atom+xml', 'X-Hub-Signature': `sha1=${signature}` }
  return { headers, body }
}

async function braintreeForm(): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const payload = Buffer.from('<timestamp'.repeat((150 * KIB) / 10)).toString('base64')
  const key = createHash('sha1').update('secret-private_key').digest()
  const signature = createHmac('sha1', key).update(payload).digest('hex')
  const form = new URLSearchParams({
    bt_signature: `secret-public_key|${signature}`,
    bt_payload: payload,
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { headers, body: Buffer.from(form.toString()) }
}

/**
 * Bodies that lack only their last byte until the dose is over: large ones, and smaller ones for
 * the capacity that is left.
 */
const WAVES: readonly (readonly [number, number])[] = [
  [MIB, 80],
  [64 * KIB, 64],
  [4 * KIB, 64],
  [100, 200],
]
const SHARED_BY = 8

async function stalled(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const names = Array.from({ length: SHARED_BY }, () => 'github')
  const inboundEndpoints = await inTurn(names, (source) => tenant.createSource(source))
  return async () => {
    const sockets: Socket[] = []
    for (const [bytes, count] of WAVES) {
      for (let n = 0; n < count; n += 1) {
        const socket = arena.open()
        sockets.push(socket)
        const { pathname } = new URL(inboundEndpoints[n % inboundEndpoints.length]?.url ?? '')
        socket.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
        socket.write(Buffer.alloc(bytes - 1, 0x20))
      }
      await passed(700)
    }
    await passed(1_000)
    for (const socket of sockets) socket.destroy()
    return []
  }
}

async function passed(ms: number): Promise<void> {
  const until = performance.now() + ms
  await eventually(() => performance.now() > until, { everyMs: 50 })
}

const QUICK_PRESETS = [
  'twilio',
  'hellosign',
  'mollie-classic',
  'github',
  'stripe',
  'slack',
  'fusionauth',
  'aws-sns',
]
const TWILIO = { 'X-Twilio-Signature': Buffer.alloc(20).toString('base64') }

export const INBOUND: readonly Attack[] = [
  attack(
    'inbound: twilio, 160 KB of many fields',
    'its process stood still for 15 s: each field was looked for among all others',
    forged('twilio', 'many fields', 160_000, TWILIO),
  ),
  attack(
    'inbound: hellosign, 40 KB of one name',
    '5 s: the values of a repeated name were copied for each',
    forged('hellosign', 'one name', 40_000, {}),
  ),
  attack(
    'inbound: mollie-classic, 40 KB of one name',
    '5 s: the values of a repeated name were copied for each',
    forged('mollie-classic', 'one name', 40_000, {}),
  ),
  attack(
    'inbound: stripe, 100 signatures of one body of 1 MiB',
    'the body was hashed anew for each of them and each secret',
    forged('stripe', 'noise', MIB - KIB, {
      'Stripe-Signature': `t=${Math.floor(Date.now() / 1_000)}${`,v1=${'0'.repeat(64)}`.repeat(99)}`,
    }),
  ),
  attack(
    'inbound: a hash in JavaScript, 1 MiB',
    'Node has no Keccak of its own, and hashing 1 MiB in JavaScript takes over 25 ms',
    forged('moralis', 'noise', MIB - KIB, { 'x-signature': `0x${'0'.repeat(64)}` }),
  ),
  attack(
    'inbound: some presets, every shape, 1 MiB',
    'whatever a verifier does that is not linear in the body',
    everyPreset(QUICK_PRESETS, MIB - 1_024),
  ),
  attack(
    'inbound: every preset, every shape, 1 MiB',
    'whatever a verifier does that is not linear in the body',
    everyPreset(Object.keys(PLATFORMS), MIB - 1_024),
    { isQuick: false },
  ),
  attack(
    'inbound: nested 5,000 levels',
    'the tenant’s ordered fan-out began with that event again and again, for ever',
    nested,
  ),
  attack(
    'inbound: youtube, signed, entries that never end',
    'a pattern began at each of them and read to the end',
    signedBy('youtube', youtubeFeed),
  ),
  attack(
    'inbound: braintree, signed, times that never end',
    'a pattern began at each of them and read to the end',
    signedBy('braintree', braintreeForm),
  ),
  attack(
    'inbound: 400 stalled bodies at eight sources',
    'POST /events was answered 503: all bodies shared one capacity',
    stalled,
  ),
]
