/** No connection is made to an address that the rules refuse, however the destination led there. */
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { startLoopTime } from '@posthorn/testing/loop-time'
import type { Egress, EgressConfig, OutgoingRequest } from './egress.ts'
import { createEgress } from './egress.ts'
import type { Lookup } from './resolve-name.ts'
import { answerOk, closeServers, startHttp } from './servers.fixture.ts'

const opened: Egress[] = []

function egressWith(lookup: Lookup, config: Partial<EgressConfig> = {}): Egress {
  const egress = createEgress({ allowCidrs: ['127.0.0.0/8'], ...config }, { lookup })
  opened.push(egress)
  return egress
}

function post(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { url, headers: {}, body: '{}', timeoutMs: 2000, ...more }
}

function failing(code: string): Lookup {
  return () => Promise.reject(Object.assign(new Error(`query ${code}`), { code }))
}

const neverAsked: Lookup = () => {
  throw new Error('a literal address must not be looked up')
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((egress) => egress.close()))
})
afterAll(closeServers)

describe('a literal address', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '0',
  ])('%s is blocked without a connection', async (host) => {
    const server = await startHttp(answerOk)
    const egress = egressWith(neverAsked, { allowCidrs: [] })
    const result = await egress.send(post(`http://${host}:${server.port}/`))
    expect(result).toMatchObject({ outcome: 'error', category: 'blocked', firstByteOutAt: null })
    expect(server.accepted).toBe(0)
  })

  test('an IPv6 one that is exempted is reached', async () => {
    const server = await startHttp(answerOk, '::1')
    const egress = egressWith(neverAsked, { allowCidrs: ['::1/128'] })
    expect(await egress.send(post(server.origin))).toMatchObject({ statusCode: 200 })
  })

  test('a mapped one is judged by the address that it carries', async () => {
    const server = await startHttp(answerOk)
    const url = `http://[::ffff:127.0.0.1]:${server.port}/`
    expect(await egressWith(neverAsked).send(post(url))).toMatchObject({ statusCode: 200 })
  })
})

describe('a name', () => {
  test('is reached at the address that is left when the blocked ones are out', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith(async () => ['10.0.0.1', '::1', '127.0.0.1'])
    let quickestMs = Infinity
    for (let n = 0; n < 5; n += 1) {
      const elapsedMs = startLoopTime()
      const result = await egress.send(post(`http://sink.example:${server.port}/`))
      expect(result).toMatchObject({ statusCode: 200 })
      quickestMs = Math.min(quickestMs, elapsedMs())
    }
    // Attempts to connect to 10.0.0.1 would all have taken the stagger at least.
    expect(quickestMs).toBeLessThan(250)
  })

  test('is blocked when all of its addresses are', async () => {
    const egress = egressWith(async () => ['10.0.0.1', '169.254.169.254', 'fd00::1'])
    const result = await egress.send(post('http://sink.example/'))
    expect(result).toMatchObject({
      category: 'blocked',
      detail: '10.0.0.1 is private (10.0.0.0/8)',
    })
  })

  test('is judged anew for each connection: rebinding gets nowhere', async () => {
    const server = await startHttp(answerOk)
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']]
    let asked = 0
    const egress = egressWith(async () => answers[asked++] ?? [], { maxAgeMs: 0 })
    const categories: string[] = []
    for (let n = 0; n < 4; n++) {
      const result = await egress.send(post(`http://rebind.example:${server.port}/`))
      categories.push(result.outcome === 'error' ? result.category : result.outcome)
    }
    expect(categories).toEqual(['response', 'response', 'blocked', 'response'])
    expect([asked, server.accepted]).toEqual([4, 3])
  })

  test('stays at its address while a connection is kept', async () => {
    const server = await startHttp(answerOk)
    let asked = 0
    const egress = egressWith(async () => [asked++ === 0 ? '127.0.0.1' : '10.0.0.1'])
    for (let n = 0; n < 3; n++) {
      const result = await egress.send(post(`http://pinned.example:${server.port}/`))
      expect(result).toMatchObject({ statusCode: 200 })
    }
    expect(asked).toBe(1)
  })

  test.each(['ENOTFOUND', 'ESERVFAIL', 'EAI_AGAIN', 'ETIMEOUT', 'EREFUSED'])(
    '%s is category dns',
    async (code) => {
      const result = await egressWith(failing(code)).send(post('http://nowhere.example/'))
      expect(result).toMatchObject({
        category: 'dns',
        detail: `nowhere.example could not be resolved (${code})`,
      })
    },
  )

  test('without any address is category dns', async () => {
    const result = await egressWith(async () => []).send(post('http://empty.example/'))
    expect(result).toMatchObject({ category: 'dns' })
  })

  test('that is not answered runs into the deadline', async () => {
    const silent: Lookup = () => new Promise(() => undefined)
    const elapsedMs = startLoopTime()
    const result = await egressWith(silent).send(post('http://slow.example/', { timeoutMs: 100 }))
    expect(elapsedMs()).toBeLessThan(2_000)
    expect(result).toMatchObject({
      category: 'timeout',
      detail: 'the name was not resolved within 100 ms',
    })
    expect(opened[0]?.counts()).toEqual({ pools: 0, sockets: 0, idle: 0 })
  })

  test('that is answered after the deadline makes no connection', async () => {
    const server = await startHttp(answerOk)
    const answer = Promise.withResolvers<string[]>()
    const egress = egressWith(() => answer.promise)
    const url = `http://late.example:${server.port}/`
    expect(await egress.send(post(url, { timeoutMs: 20 }))).toMatchObject({ category: 'timeout' })
    answer.resolve(['127.0.0.1'])
    expect(await egress.send(post(url))).toMatchObject({ statusCode: 200 })
    expect(server.accepted).toBe(1)
  })

  test('goes on to the next address when one refuses', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith(async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'])
    const result = await egress.send(post(`http://many.example:${server.port}/`))
    expect(result).toMatchObject({ statusCode: 200 })
  })

  test('is refused when all of its addresses refuse', async () => {
    const server = await startHttp(answerOk)
    await server.close()
    const egress = egressWith(async () => ['127.0.0.1', '127.0.0.2'])
    const result = await egress.send(post(`http://down.example:${server.port}/`))
    expect(result).toMatchObject({
      category: 'refused',
      detail: `127.0.0.1 port ${server.port} refused`,
      firstByteOutAt: null,
    })
  })

  test('localhost is resolved by the machine itself', async () => {
    const server = await startHttp(answerOk)
    const egress = createEgress({ allowCidrs: ['127.0.0.0/8'] })
    opened.push(egress)
    const result = await egress.send(post(`http://localhost:${server.port}/`))
    expect(result).toMatchObject({ statusCode: 200 })
    const closed = createEgress()
    opened.push(closed)
    const blocked = await closed.send(post(`http://localhost:${server.port}/`))
    expect(blocked).toMatchObject({ category: 'blocked' })
  })
})

describe("an endpoint's lists", () => {
  test.each<[string, Partial<OutgoingRequest>, string]>([
    ['allowed', { allowedCidrs: ['127.0.0.0/30'] }, 'response'],
    ['not allowed', { allowedCidrs: ['127.0.0.8/30', '8.0.0.0/8'] }, 'blocked'],
    ['blocked', { blockedCidrs: ['127.0.0.1/32'] }, 'blocked'],
    [
      'blocked among the allowed',
      { allowedCidrs: ['127.0.0.0/8'], blockedCidrs: ['127.0.0.1/32'] },
      'blocked',
    ],
    ['blocked in its mapped spelling', { blockedCidrs: ['::ffff:127.0.0.1/128'] }, 'blocked'],
    ['not blocked by another family', { blockedCidrs: ['::/0'] }, 'response'],
  ])('%s', async (_what, lists, expected) => {
    const server = await startHttp(answerOk)
    const result = await egressWith(neverAsked).send(post(server.origin, lists))
    expect(result.outcome === 'error' ? result.category : result.outcome).toBe(expected)
  })

  test('an allowed range is no exemption from the default list', async () => {
    const server = await startHttp(answerOk)
    const egress = egressWith(neverAsked, { allowCidrs: [] })
    const result = await egress.send(post(server.origin, { allowedCidrs: ['127.0.0.0/8'] }))
    expect(result).toMatchObject({ category: 'blocked' })
    expect(server.accepted).toBe(0)
  })
})

test('the own receiver is reached below its prefix and nowhere else', async () => {
  const server = await startHttp(answerOk)
  const demoReceiver = { origin: server.origin, pathPrefix: '/receiver/' }
  const egress = egressWith(neverAsked, { allowCidrs: [], demoReceiver })
  expect(await egress.send(post(`${server.origin}/receiver/a`))).toMatchObject({ statusCode: 200 })
  for (const path of ['/', '/api/v1/events', '/receiver/../api', '/receiver/%2e%2e%2fapi']) {
    const result = await egress.send(post(server.origin + path))
    expect(result).toMatchObject({ category: 'blocked' })
  }
  expect(server.accepted).toBe(1)
})
