import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { TLSSocket } from 'node:tls'
import { startLoopTime } from '@posthorn/testing/loop-time'
import { makeCertificate } from './certificate.fixture.ts'
import type { Egress, OutgoingRequest } from './egress.ts'
import { createEgress } from './egress.ts'
import { answerOk, closeServers, startHttp, startHttps, startRaw } from './servers.fixture.ts'

const authority = makeCertificate({ name: 'Test authority' })
const stranger = makeCertificate({ name: 'Somebody else' })
const names = ['hook.example', '127.0.0.1']
const good = makeCertificate({ name: 'hook.example', altNames: names, signedBy: authority })

let egress: Egress
beforeEach(() => {
  egress = createEgress(
    { allowCidrs: ['127.0.0.0/8'], ca: [authority.cert] },
    { lookup: async () => ['127.0.0.1'] },
  )
})
afterEach(() => egress.close())
afterAll(closeServers)

function post(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { url, headers: {}, body: '{}', timeoutMs: 5000, ...more }
}

test('a name and an address are verified against the certificate, and connections are kept', async () => {
  const server = await startHttps(good, answerOk)
  for (const host of ['hook.example', '127.0.0.1', 'hook.example.', 'hook.example']) {
    const result = await egress.send(post(`https://${host}:${server.port}/`))
    expect(result).toMatchObject({ outcome: 'response', statusCode: 200, body: 'ok' })
  }
  // One connection each for the name, the address and the spelling with the root's dot, which is an
  // origin of its own.
  expect(server.accepted).toBe(3)
})

test('the next connection resumes the session of the one before', async () => {
  const resumed: boolean[] = []
  const server = await startHttps(good, (request, response) => {
    resumed.push((request.socket as TLSSocket).isSessionReused())
    response.setHeader('connection', 'close')
    answerOk(request, response)
  })
  for (let n = 0; n < 2; n++) {
    const result = await egress.send(post(`https://hook.example:${server.port}/`))
    expect(result).toMatchObject({ statusCode: 200 })
  }
  expect(resumed).toEqual([false, true])
})

describe('a certificate that is refused', () => {
  const yesterday = new Date(Date.now() - 3_600_000)
  test.each([
    ['of another name', { altNames: ['other.example'], signedBy: authority }, 'altnames'],
    ['that has expired', { altNames: names, signedBy: authority, validTo: yesterday }, 'expired'],
    ['of an unknown authority', { altNames: names, signedBy: stranger }, 'unable to verify'],
    ['that signed itself', { altNames: names }, 'self-signed'],
  ])('one %s', async (_what, options, detail) => {
    let requests = 0
    const server = await startHttps(
      makeCertificate({ name: 'hook.example', ...options }),
      (request, response) => {
        requests++
        answerOk(request, response)
      },
    )
    const result = await egress.send(post(`https://hook.example:${server.port}/`))
    expect(result).toMatchObject({ outcome: 'error', category: 'tls', firstByteOutAt: null })
    expect(result).toMatchObject({ detail: expect.stringContaining(detail) })
    expect(requests).toBe(0)
    expect(egress.counts().sockets).toBe(0)
  })

  test('an authority that Node does not know is not trusted by default', async () => {
    const server = await startHttps(good, answerOk)
    const plain = createEgress({ allowCidrs: ['127.0.0.0/8'] })
    const result = await plain.send(post(server.origin))
    await plain.close()
    expect(result).toMatchObject({ category: 'tls' })
  })
})

describe('a handshake', () => {
  test('with a server that speaks plain http is category tls', async () => {
    const server = await startHttp(answerOk)
    const result = await egress.send(post(`https://127.0.0.1:${server.port}/`))
    expect(result).toMatchObject({ category: 'tls', firstByteOutAt: null })
  })

  test('that is broken off is category tls', async () => {
    const server = await startRaw((socket) => socket.resetAndDestroy())
    const result = await egress.send(post(`https://127.0.0.1:${server.port}/`))
    expect(result).toMatchObject({
      category: 'tls',
      detail: 'the connection was closed during the TLS handshake',
    })
  })

  test('that stalls runs into the deadline', async () => {
    const server = await startRaw(() => undefined)
    const url = `https://127.0.0.1:${server.port}/`
    const elapsedMs = startLoopTime()
    const result = await egress.send(post(url, { timeoutMs: 200 }))
    expect(elapsedMs()).toBeLessThan(2_000)
    expect(result).toMatchObject({
      category: 'timeout',
      detail: 'the TLS handshake was not completed within 200 ms',
    })
    expect(egress.counts().sockets).toBe(0)
  })
})

describe('a client certificate', () => {
  const client = makeCertificate({ name: 'client 1', signedBy: authority })
  const serverOptions = {
    cert: good.cert,
    key: good.key,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
  }

  test('is presented, and its connection is for its key alone', async () => {
    const seen: unknown[] = []
    const server = await startHttps(serverOptions, (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().subject.CN)
      answerOk(request, response)
    })
    const tls = { cert: client.cert, key: client.key }
    const withCertificate = { tls, connectionKey: 'endpoint 1 mtls 1' }
    expect(await egress.send(post(server.origin, withCertificate))).toMatchObject({
      statusCode: 200,
    })
    expect(seen).toEqual(['client 1'])
    const without = await egress.send(post(server.origin))
    // Told by the peer's alert where that arrives before the end of the connection.
    expect(['tls', 'reset']).toContain(without.outcome === 'error' ? without.category : '')
    expect(seen).toEqual(['client 1'])
  })

  test('that OpenSSL can not read is category tls', async () => {
    const server = await startHttps(serverOptions, answerOk)
    const tls = { cert: 'nonsense', key: 'nonsense' }
    const result = await egress.send(post(server.origin, { tls, connectionKey: 'endpoint 2' }))
    expect(result).toMatchObject({ category: 'tls' })
  })
})
