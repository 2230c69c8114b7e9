/**
 * Injects faults of the network between two parts: Toxiproxy stands between them and slows, cuts,
 * swallows or resets what passes.
 *
 * It works on TCP streams, not on packets: nothing is lost or reordered inside an open stream.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@posthorn/local-stores/free-port'
import { ensureGoBinary } from './go-binary.ts'
import { type ServerHandle, startServerProcess } from '@posthorn/local-stores/server-process'

const TOXIPROXY_VERSION = '2.12.0'

export interface Toxic {
  type: 'latency' | 'bandwidth' | 'timeout' | 'reset_peer' | 'slicer'
  /** The direction of the stream: to the server, or from it. */
  stream: 'upstream' | 'downstream'
  attributes: Record<string, number>
}

export interface Toxiproxy extends ServerHandle {
  /**
   * Listens on this port, or on a free one, and passes on to the other. @returns the port it
   * listens on
   */
  addProxy(name: string, toPort: number, port?: number): Promise<number>
  /** False: open connections are cut, and no new ones are accepted. */
  enable(name: string, enabled: boolean): Promise<void>
  poison(name: string, toxics: readonly Toxic[]): Promise<void>
  /** Nothing is poisoned or cut any more. */
  heal(): Promise<void>
}

export async function startToxiproxy(): Promise<Toxiproxy> {
  const command = await ensureGoBinary({
    name: 'toxiproxy-server',
    version: TOXIPROXY_VERSION,
    package: 'github.com/Shopify/toxiproxy/v2/cmd/server',
    what: 'a proxy for faults of the network',
  })
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-toxiproxy-'))
  const url = `http://127.0.0.1:${port}`

  async function call(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'posthorn' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`Toxiproxy: ${method} ${path}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }

  const server = await startServerProcess({
    name: 'Toxiproxy',
    url,
    command,
    args: ['-host', '127.0.0.1', '-port', String(port)],
    logPath: join(dir, 'toxiproxy.log'),
    temporaryDir: dir,
    isReady: async () => {
      await call('GET', '/version')
      return true
    },
    readyTimeoutMs: 15_000,
    stopTimeoutMs: 5_000,
  })
  return Object.assign(server, {
    async addProxy(name: string, toPort: number, given?: number) {
      const listens = given ?? (await freePort())
      const [listen, upstream] = [`127.0.0.1:${listens}`, `127.0.0.1:${toPort}`]
      await call('POST', '/proxies', { name, listen, upstream, enabled: true })
      return listens
    },
    enable: async (name: string, enabled: boolean) =>
      await call('POST', `/proxies/${name}`, { enabled }),
    async poison(name: string, toxics: readonly Toxic[]) {
      for (const [index, toxic] of toxics.entries())
        await call('POST', `/proxies/${name}/toxics`, { name: `toxic-${index}`, ...toxic })
    },
    heal: async () => await call('POST', '/reset'),
  })
}
