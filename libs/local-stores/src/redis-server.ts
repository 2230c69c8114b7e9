/**
 * A Redis on this machine: the `redis-server` on the PATH. Where there is none, and as root,
 * Debian's package is installed.
 *
 * It keeps nothing on disk: after `kill()` it comes back empty, which the product must bear.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureProgram } from './debian-package.ts'
import { freePort } from './free-port.ts'
import { startServerProcess, type ServerHandle } from './server-process.ts'

export interface RedisServerOptions {
  /** The folder for its log; by default a temporary one. */
  dataDir?: string
  port?: number
  /** Lines of its configuration beside its own, such as `tls-port 6390`. */
  settings?: readonly string[]
  /** Runs as a Sentinel, which keeps what it learns in its configuration. */
  isSentinel?: boolean
}

export async function startRedisServer(options: RedisServerOptions = {}): Promise<ServerHandle> {
  ensureProgram(
    'redis-server',
    'redis-server',
    'macOS: brew install redis), or set TEST_REDIS_URL to a Redis of your own',
  )
  const port = options.port ?? (await freePort())
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'posthorn-redis-')))
  await mkdir(dir, { recursive: true })
  const lines = ['bind 127.0.0.1', `port ${port}`, `dir ${dir}`, ...(options.settings ?? [])]
  if (options.isSentinel !== true) lines.push('save ""', 'appendonly no')
  const configuration = join(dir, 'redis.conf')
  await writeFile(configuration, `${lines.join('\n')}\n`)
  return await startServerProcess({
    name: 'Redis',
    url: `redis://127.0.0.1:${port}`,
    command: 'redis-server',
    args: [configuration, ...(options.isSentinel === true ? ['--sentinel'] : [])],
    logPath: join(dir, 'redis.log'),
    temporaryDir: options.dataDir === undefined ? dir : undefined,
    // Not just any Redis: another one on this port would answer a PING too.
    isReady: async (pid) => (await askRedis(port, 'INFO server')).includes(`process_id:${pid}\r`),
    readyTimeoutMs: 10_000,
    stopTimeoutMs: 5_000,
  })
}

/** Sends a command to a Redis on this machine and answers the first that comes back. */
export async function askRedis(port: number, command: string): Promise<string> {
  return await new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.setTimeout(1000, () => socket.destroy(new Error('no answer within a second')))
    socket.once('error', failed)
    socket.once('close', () => failed(new Error('closed without an answer')))
    socket.once('data', (data) => {
      done(data.toString('latin1'))
      socket.destroy()
    })
  })
}
