/** got over guarded sockets: where it goes, what it reads, and when it gives up. */
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { makeCertificate } from './certificate.fixture.ts'
import { createGuardedClient, type GuardedResponse } from './guarded-client.ts'
import { createGuardedSockets, type GuardedSockets } from './guarded-sockets.ts'
import type { Lookup } from './resolve-name.ts'
import { answerOk, closeServers, startHttp, startHttps, startRaw } from './servers.fixture.ts'

const authority = makeCertificate({ name: 'Test authority' })
const good = makeCertificate({
  name: 'chat.example',
  altNames: ['chat.example'],
  signedBy: authority,
})
const toLoopback: Lookup = async () => ['127.0.0.1']

const opened: GuardedSockets[] = []
afterEach(() => {
  for (const sockets of opened.splice(0)) sockets.close()
})
afterAll(closeServers)

interface ClientSettings {
  allowCidrs?: string[]
  lookup?: Lookup
  requireHttps?: boolean
}

function post(url: string, timeoutMs = 5_000, way: ClientSettings = {}): Promise<GuardedResponse> {
  const { allowCidrs = ['127.0.0.0/8', '::1/128'], lookup = toLoopback } = way
  const sockets = createGuardedSockets({ allowCidrs, ca: [authority.cert] }, { lookup })
  opened.push(sockets)
  const config = { requireHttps: way.requireHttps ?? false, userAgent: 'test/1' }
  const request = { url, headers: { 'x-mine': '1' }, body: '{"a":1}', timeoutMs }
  return createGuardedClient(config, sockets)({ ...request, owner: 'tenant' })
}

test('posts what it is given, over http and https', async () => {
  const seen: unknown[] = []
  const listen: Parameters<typeof startHttp>[0] = (request, response) => {
    const { method, url, headers } = request
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push([method, url, headers['user-agent'], headers['x-mine'], String(chunks)])
      response.end('ok')
    })
  }
  const plain = await startHttp(listen)
  const secure = await startHttps(good, listen)
  for (const url of [`${plain.origin}/a?b=c`, `https://chat.example:${secure.port}/a?b=c`]) {
    expect(await post(url)).toMatchObject({ outcome: 'response', statusCode: 200, body: 'ok' })
  }
  const wanted = ['POST', '/a?b=c', 'test/1', '1', '{"a":1}']
  expect(seen).toEqual([wanted, wanted])
})

test('an address of IPv6 is one', async () => {
  const server = await startHttp(answerOk, '::1')
  expect(await post(`http://[::1]:${server.port}/`)).toMatchObject({ statusCode: 200 })
})

describe('it goes nowhere that the rules refuse', () => {
  test.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    'localhost',
    'chat.example',
  ])('%s', async (host) => {
    const server = await startHttp(answerOk)
    const result = await post(`http://${host}:${server.port}/`, 5_000, { allowCidrs: [] })
    expect(result).toMatchObject({ outcome: 'error', category: 'blocked' })
    expect(server.accepted).toBe(0)
  })

  test('nor without TLS where TLS is required, nor by another protocol', async () => {
    const server = await startHttp(answerOk)
    const way = { requireHttps: true }
    expect(await post(server.origin, 5_000, way)).toMatchObject({ category: 'blocked' })
    for (const url of [
      'file:///etc/passwd',
      'ftp://chat.example/',
      'unix:/run/x.sock:/',
      'nothing',
    ]) {
      expect(await post(url)).toMatchObject({ outcome: 'error', category: 'blocked' })
    }
    expect(server.accepted).toBe(0)
  })

  test('nor where an answer sends it', async () => {
    const elsewhere = await startHttp(answerOk)
    const server = await startHttp((_request, response) => {
      response.writeHead(307, { location: elsewhere.origin }).end('moved')
    })
    expect(await post(server.origin)).toMatchObject({ statusCode: 307, body: 'moved' })
    expect(elsewhere.accepted).toBe(0)
  })

  test('nor to a server of another name', async () => {
    const server = await startHttps(good, answerOk)
    const result = await post(`https://other.example:${server.port}/`)
    expect(result).toMatchObject({ outcome: 'error', category: 'tls' })
  })
})

describe('whatever the other side does, it ends', () => {
  test('a long answer is read up to a limit', async () => {
    const server = await startHttp((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(65_536))) if (response.destroyed) return
      }
      response.on('drain', more)
      more()
    })
    const result = await post(server.origin)
    expect(result).toMatchObject({ outcome: 'response', statusCode: 200 })
    expect(result.outcome === 'response' && result.body.length).toBe(16 * 1024)
  })

  test('an answer that is compressed is left so', async () => {
    const server = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all')
    })
    expect(await post(server.origin)).toMatchObject({ statusCode: 200, body: 'no gzip at all' })
  })

  test.each([
    ['says nothing', ''],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['stops in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('one that %s takes its time and no longer', async (_what, said) => {
    const server = await startRaw((socket) => void socket.write(said))
    const result = await post(`http://127.0.0.1:${server.port}/`, 300)
    expect(result).toMatchObject({ category: 'timeout', detail: 'no answer within 300 ms' })
  })

  test('a name that nobody answers for, too', async () => {
    const lookup: Lookup = () => new Promise(() => {})
    const result = await post('http://slow.example/', 300, { lookup })
    expect(result).toMatchObject({ outcome: 'error', category: 'timeout' })
  })

  test.each([
    ['is cut off', (socket: { destroy(): void }) => socket.destroy(), 'reset'],
    [
      'is no HTTP',
      (socket: { write(text: string): boolean }) => void socket.write('SSH-2.0\r\n'),
      'reset',
    ],
  ])('one that %s', async (_what, answer, category) => {
    const server = await startRaw(answer)
    const result = await post(`http://127.0.0.1:${server.port}/`)
    expect(result).toMatchObject({ outcome: 'error', category })
  })

  test('one that is not there', async () => {
    const server = await startHttp(answerOk)
    await server.close()
    const result = await post(`http://127.0.0.1:${server.port}/`)
    expect(result).toMatchObject({ outcome: 'error', category: 'refused' })
  })
})
