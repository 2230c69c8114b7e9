/**
 * Where attacks happen: one `standalone` on a database of its own, a neighbour who is observed, and
 * the tenants, endpoints and sources that an attack makes. Attacks reach the product over HTTP, and
 * the database only for what no route makes yet: tenants.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPreset } from '@posthorn/inbound/presets'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase } from '@posthorn/testing/databases'
import { addWorkspace } from '../e2e/add-workspace.ts'
import { startPosthorn } from '../e2e/posthorn.ts'
import { type KeyServer, startKeyServer } from './key-server.ts'
import { type Observer, startObserver } from './observer.ts'

export interface HttpAnswer {
  status: number
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- attacks read it as a script would
  body: any
}

export interface RequestOptions {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

/** A tenant with a key that may do everything. */
export interface TenantClient {
  id: string
  apiKey: string
  /** JSON in, JSON out. A body that is text is sent as it is. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpAnswer>
  /** @throws unless the answer is 2xx */
  create(path: string, body: unknown): Promise<HttpAnswer['body']>
  /** Posts an event. */
  postEvent(event: Record<string, unknown> | string): Promise<HttpAnswer>
  createSource(
    source: string,
    config?: Readonly<Record<string, unknown>>,
  ): Promise<{ id: string; url: string }>
}

export interface Arena {
  url: string
  port: number
  pid: number
  /** A URL that answers 200 to everything. */
  sinkUrl: string
  storageDir: string
  /** A platform whose published keys the product can fetch. */
  keyServer: KeyServer
  pool: Pool
  observer: Observer
  newTenant(): Promise<TenantClient>
  send(url: string, options?: RequestOptions): Promise<HttpAnswer>
  /** Opens a connection, which is closed with the arena. */
  open(): Socket
  residentMiB(): number
  /** The stalls that the product's watchdog has logged since the last call. */
  stalls(): { at: string; seconds: number; cpuSeconds: number }[]
  stop(): Promise<void>
}

/** A request that has no answer for this long counts as unanswered. */
const ANSWER_MS = 120_000

function createSend(agent: Agent): Arena['send'] {
  return (target, { method = 'GET', headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? 0 : Buffer.byteLength(body)
      const sized = { ...headers, ...(body === undefined ? {} : { 'Content-Length': length }) }
      const asked = request(target, { agent, method, headers: sized }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, text, body: parsed(text) })
        })
        response.on('error', reject)
      })
      asked.setTimeout(ANSWER_MS, () => asked.destroy(new Error('no answer')))
      asked.on('error', reject)
      asked.end(body)
    })
}

function createTenantClient(
  send: Arena['send'],
  url: string,
  id: string,
  apiKey: string,
): TenantClient {
  const call: TenantClient['call'] = async (method, path, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const own = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', ...headers }
    return await send(`${url}/api/v1/${path}`, { method, headers: own, body: text ?? '' })
  }
  const create: TenantClient['create'] = async (path, body) => {
    const answer = await call('POST', path, body)
    if (answer.status < 300) return answer.body
    throw new Error(`POST ${path} was answered ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  return {
    id,
    apiKey,
    call,
    create,
    postEvent: (event) => call('POST', 'events', event, { 'X-Idempotency-Key': randomUUID() }),
    async createSource(platform, config) {
      const keys = (await findPreset(platform))?.configKeys ?? []
      const filled = keys.map(({ name, values }) => [name, values?.[0] ?? `secret-${name}`])
      const sourceConfig = config ?? Object.fromEntries(filled)
      return await create('inbound-endpoints', {
        name: platform,
        source: platform,
        sourceConfig,
      })
    },
  }
}

export async function openArena(): Promise<Arena> {
  const database = await createTestDatabase()
  const storageDir = await mkdtemp(join(tmpdir(), 'posthorn-adversary-'))
  const keyServer = await startKeyServer(storageDir)
  const posthorn = await startPosthorn('standalone', {
    DATABASE_URL: database.url,
    STORAGE_DIR: storageDir,
    NODE_EXTRA_CA_CERTS: keyServer.authorityPath,
  })
  const { url, pid } = posthorn
  const pool = openPool({ url: database.url, max: 4, name: 'adversary', onError: () => undefined })
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  const send = createSend(agent)
  const sockets = new Set<Socket>()
  /** How much of the product's output has been read. */
  let readTo = 0

  async function newTenant(): Promise<TenantClient> {
    const { tenantId, apiKey } = await addWorkspace(pool, posthorn.dataDir, 'adversary')
    return createTenantClient(send, url, tenantId, apiKey)
  }

  const neighbour = await newTenant()
  const observer = await startObserver({ pid, url, apiKey: neighbour.apiKey })
  await neighbour.create('endpoints', {
    url: `${observer.sinkUrl}/typed`,
    eventTypes: ['neighbour.tick'],
  })
  return {
    url,
    port: Number(new URL(url).port),
    pid,
    sinkUrl: observer.sinkUrl,
    storageDir,
    keyServer,
    pool,
    observer,
    newTenant,
    send,
    open() {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      return socket
    },
    residentMiB: () => residentMiB(pid),
    stalls() {
      const text = posthorn.output()
      const fresh = text.slice(readTo)
      readTo = text.length
      return fresh
        .split('\n')
        .filter((line) => line.includes('"event":"loop.stalled"'))
        .map((line) => parsed(line) as { at: string; seconds: number; cpuSeconds: number })
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await observer.stop()
      await pool.end()
      await posthorn.stop()
      await keyServer.close()
      await database.drop()
      await rm(storageDir, { recursive: true, force: true })
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function residentMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
