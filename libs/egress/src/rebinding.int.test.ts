/**
 * A name whose server changes its answers: asked over the wire, as a tenant's own name server would
 * do it to us.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createEgress, type Egress } from './egress.ts'
import { A, type NameAnswer, type NameServer, startNameServer } from './name-server.fixture.ts'
import { createNameResolver, type NameResolver } from './resolve-name.ts'
import { answerOk, closeServers, startHttp, type TestServer } from './servers.fixture.ts'

const NOTHING: NameAnswer = { addresses: [] }
/**
 * An address of the block for documentation, so nobody is there. Exempted here, it stands for a
 * public address.
 */
const PUBLIC = '192.0.2.1'
const LOOPBACK = '127.0.0.1'
const TIMEOUT_MS = 2_000

let names: NameServer
let resolver: NameResolver
let target: TestServer
/** What each name answers, one after the other; the last answer is repeated for ever. */
const answers = new Map<string, (string | readonly string[])[]>()
const asked: string[] = []
const opened: Egress[] = []

beforeAll(async () => {
  names = await startNameServer((name, type) => {
    if (type !== A) return NOTHING
    asked.push(name)
    const inOrder = answers.get(name) ?? []
    const next = inOrder.length > 1 ? inOrder.shift() : inOrder[0]
    return next === undefined ? NOTHING : { addresses: [next].flat().map(toBytes) }
  })
  resolver = createNameResolver([names.address])
  target = await startHttp(answerOk)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((egress) => egress.close()))
  asked.length = 0
})
afterAll(async () => {
  resolver.close()
  await names.close()
  await closeServers()
})

function toBytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

function send(egress: Egress, name: string) {
  return egress.send({
    url: `http://${name}:${target.port}/`,
    headers: {},
    body: '{}',
    timeoutMs: TIMEOUT_MS,
  })
}

function open(allowCidrs: readonly string[], maxAgeMs = 0): Egress {
  const egress = createEgress({ allowCidrs, maxAgeMs }, { lookup: resolver.lookup })
  opened.push(egress)
  return egress
}

describe('a name that answers a public address first and then loopback', () => {
  test('is judged by the answer that is connected to, however often it changes', async () => {
    const egress = open([`${PUBLIC}/32`])
    answers.set('rebind.example', [PUBLIC, LOOPBACK, PUBLIC, LOOPBACK])
    const categories: string[] = []
    for (let n = 0; n < 4; n += 1) {
      const result = await send(egress, 'rebind.example')
      categories.push(result.outcome === 'error' ? result.category : result.outcome)
    }
    // Nobody is at the public address: what matters is where the others went.
    expect([categories[1], categories[3]]).toEqual(['blocked', 'blocked'])
    expect(categories[0]).not.toBe('blocked')
    expect(asked).toHaveLength(4)
    expect(target.accepted).toBe(0)
  }, 30_000)

  test('is not asked again between its judgement and the connection', async () => {
    const egress = open(['127.0.0.0/8'])
    const before = target.accepted
    // If anything had asked twice, the second answer would have been taken, where nobody listens.
    answers.set('once.example', [LOOPBACK, '127.0.0.99'])
    expect(await send(egress, 'once.example')).toMatchObject({ statusCode: 200 })
    expect(asked).toEqual(['once.example'])
    expect(target.accepted).toBe(before + 1)
  })

  test('gets no request through a connection of the time before', async () => {
    const egress = open(['127.0.0.1/32'], 60_000)
    answers.set('kept.example', [LOOPBACK, '10.0.0.1'])
    for (let n = 0; n < 3; n += 1) {
      // The connection stays where it was vetted, whatever the name's answer is meanwhile.
      expect(await send(egress, 'kept.example')).toMatchObject({ statusCode: 200 })
    }
    expect(asked).toEqual(['kept.example'])
  })
})

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.100.100.200', '0.0.0.0'])(
  'a name that leads to %s is blocked',
  async (address) => {
    const egress = open([])
    answers.set('inward.example', [address])
    const before = target.accepted
    expect(await send(egress, 'inward.example')).toMatchObject({ category: 'blocked' })
    expect(target.accepted).toBe(before)
  },
)

test('of public and private addresses together, in any order, only the public are tried', async () => {
  const egress = open([`${PUBLIC}/32`])
  answers.set('mixed.example', [[LOOPBACK, PUBLIC, '10.0.0.1']])
  const before = target.accepted
  const result = await send(egress, 'mixed.example')
  expect(result).toMatchObject({ outcome: 'error' })
  expect(result).not.toMatchObject({ category: 'blocked' })
  expect(target.accepted).toBe(before)
})
