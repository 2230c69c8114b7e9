/**
 * A PgBouncer on this machine, in front of a Postgres: the `pgbouncer` on the PATH, or Debian's
 * package. As root it becomes the user `nobody`, because it refuses root.
 */
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureProgram } from './debian-package.ts'
import { freePort } from './free-port.ts'
import { startServerProcess, type ServerHandle } from './server-process.ts'

export interface PgBouncerOptions {
  /** The Postgres, with the user and the password that its clients have too. */
  to: string
  mode: 'transaction' | 'session' | 'statement'
  /** Sessions of Postgres for each database; clients share them. */
  sessions: number
}

/** Throws with what to do where it cannot be had. */
export function ensurePgBouncer(): void {
  ensureProgram('pgbouncer', 'pgbouncer', 'macOS: brew install pgbouncer)')
}

/** Its `url` leads to the database of the Postgres's. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<ServerHandle> {
  ensurePgBouncer()
  const port = await freePort()
  const to = new URL(options.to)
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-pgbouncer-'))
  const logins = join(dir, 'userlist.txt')
  const configuration = join(dir, 'pgbouncer.ini')
  const [user, password] = [to.username, to.password].map(decodeURIComponent)
  await writeFile(logins, `"${user}" "${password}"\n`)
  await writeFile(
    configuration,
    [
      '[databases]',
      `* = host=${to.hostname} port=${to.port || 5432}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${logins}`,
      `pool_mode = ${options.mode}`,
      `default_pool_size = ${options.sessions}`,
      'max_client_conn = 500',
      '',
    ].join('\n'),
  )
  await chmod(dir, 0o755)
  const isRoot = process.getuid?.() === 0
  const url = new URL(options.to)
  url.host = `127.0.0.1:${port}`
  return await startServerProcess({
    name: 'PgBouncer',
    url: url.href,
    command: 'pgbouncer',
    args: [...(isRoot ? ['-u', 'nobody'] : []), configuration],
    logPath: join(dir, 'pgbouncer.log'),
    temporaryDir: dir,
    isReady: () => listens(port),
    readyTimeoutMs: 10_000,
    stopTimeoutMs: 5_000,
  })
}

async function listens(port: number): Promise<boolean> {
  return await new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
