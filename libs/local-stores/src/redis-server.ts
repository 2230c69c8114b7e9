/**
 * A Redis on this machine: the `redis-server` on the PATH. Where there is none, and as root,
 * Debian's package is installed.
 *
 * It keeps nothing on disk: after `kill()` it comes back empty, which the product must bear.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { startServerProcess, type ServerHandle } from './server-process.ts'

export interface RedisServerOptions {
  /** The folder for its log; by default a temporary one. */
  dataDir?: string
  port?: number
}

export async function startRedisServer(options: RedisServerOptions = {}): Promise<ServerHandle> {
  ensureRedis()
  const port = options.port ?? (await freePort())
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'posthorn-redis-')))
  await mkdir(dir, { recursive: true })
  const listen = ['--bind', '127.0.0.1', '--port', String(port)]
  return await startServerProcess({
    name: 'Redis',
    url: `redis://127.0.0.1:${port}`,
    command: 'redis-server',
    args: [...listen, '--save', '', '--appendonly', 'no', '--dir', dir],
    logPath: join(dir, 'redis.log'),
    temporaryDir: options.dataDir === undefined ? dir : undefined,
    // Not just any Redis: another one on this port would answer a PING too.
    isReady: async (pid) =>
      (await exchange(port, 'INFO server\r\n')).includes(`process_id:${pid}\r`),
    readyTimeoutMs: 10_000,
    stopTimeoutMs: 5_000,
  })
}

function ensureRedis(): void {
  if (hasRedis()) return
  const how =
    'Install it (Debian: apt-get install redis-server; macOS: brew install redis), ' +
    'or set TEST_REDIS_URL to a Redis of your own.'
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error(`There is no redis-server on the PATH. ${how}`)
  }
  process.stderr.write('redis-server is not there: installing it with apt-get\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['-y', '-q', '--no-install-recommends', 'install', 'redis-server']
  spawnSync('apt-get', ['-q', 'update'], { env, timeout: 300_000 })
  const done = spawnSync('apt-get', install, { env, encoding: 'utf8', timeout: 300_000 })
  if (done.status === 0 && hasRedis()) return
  throw new Error(`apt-get could not install redis-server: ${done.stderr.trim()}\n${how}`)
}

function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Sends some bytes to a loopback port and answers the first that come back. */
async function exchange(port: number, request: string): Promise<string> {
  return await new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setTimeout(1000, () => socket.destroy(new Error('no answer within a second')))
    socket.once('error', failed)
    socket.once('close', () => failed(new Error('closed without an answer')))
    socket.once('data', (data) => {
      done(data.toString('latin1'))
      socket.destroy()
    })
  })
}
