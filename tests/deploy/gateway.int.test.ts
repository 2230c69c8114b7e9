/** The gateway of docker-compose.yml: the real Caddy before one stub for each service. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { routeCatalog } from '@posthorn/contracts/routes'
import { freePort } from '@posthorn/local-stores/free-port'
import { eventually } from '@posthorn/testing/eventually'
import { exampleOf } from '../../scripts/deployment/path-rules.ts'
import { root, testWith } from './tools.ts'

const ROUTES = [...Object.values(routeCatalog('Service')), ...PUBLIC_INBOUND_ROUTES]

async function startStub(name: string): Promise<{ name: string; port: number; server: Server }> {
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () =>
      response.end(JSON.stringify({ name, forwardedFor: incoming.headers['x-forwarded-for'] })),
    )
  })
  server.on('upgrade', (_request, socket) => {
    socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { name, port: (server.address() as AddressInfo).port, server }
}

/** The file as it is, but for its port and where the services are. */
async function withLocalPorts(port: number, portOf: (service: string) => number): Promise<string> {
  const text = await readFile(join(root, 'deploy/gateway/Caddyfile'), 'utf8')
  return text
    .replace(/^:8080 /m, `http://127.0.0.1:${port} `)
    .replaceAll(
      /dynamic a (\S+) 8080 \{\s*refresh 5s\s*\}/g,
      (_all, service: string) => `to 127.0.0.1:${portOf(service)}`,
    )
    .replaceAll('lb_try_duration 5s', 'lb_try_duration 200ms')
}

async function upgrade(port: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/api/v1/stats/ws',
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    })
    asked.once('upgrade', (_response, socket, head) => {
      const done = (chunk: Buffer): void => {
        socket.destroy()
        resolve(chunk.toString())
      }
      if (head.length > 0) done(head)
      else socket.once('data', done)
    })
    asked.once('error', reject)
    asked.once('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)))
    asked.end()
  })
}

testWith(['caddy'], 'requests go to the service that owns the route', async ({ caddy }) => {
  const names = [...new Set(ROUTES.map(({ service }) => service))]
  const stubs = await Promise.all(names.map(startStub))
  const [port, nobody] = [await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-gateway-'))
  const config = join(folder, 'Caddyfile')
  const portOf = (service: string) => stubs.find(({ name }) => name === service)?.port ?? nobody
  await writeFile(config, await withLocalPorts(port, portOf))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  }
  const child = spawn(caddy, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env,
    stdio: 'ignore',
  })
  const base = `http://127.0.0.1:${port}`
  const ask = async (path: string, init?: RequestInit) =>
    await fetch(base + path, {
      ...init,
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    })
  try {
    await eventually(async () => expect((await ask('/ready')).status).toBe(200))
    for (const { path, service } of ROUTES) {
      const answer = (await (await ask(exampleOf(path))).json()) as Record<string, string>
      expect({ path, ...answer }).toEqual({ path, name: service, forwardedFor: '127.0.0.1' })
    }
    expect(await (await ask('/docs')).json()).toMatchObject({ name: 'portal-api' })
    expect([(await ask('/metrics')).status, (await ask('/health')).status]).toEqual([404, 404])
    expect(await upgrade(port)).toBe('hello')
    const ingest = stubs.find(({ name }) => name === 'ingest-api')
    ingest?.server.closeAllConnections()
    await new Promise((resolve) => ingest?.server.close(resolve))
    const gone = await ask('/api/v1/events', { method: 'POST', body: '{}' })
    expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await gone.json()).toMatchObject({ code: 'UNAVAILABLE' })
  } finally {
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    for (const { server } of stubs) server.close()
    await rm(folder, { recursive: true, force: true })
  }
})
