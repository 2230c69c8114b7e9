/** A Postgres that is installed on this machine with all its tools, for tests that need a dump. */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@posthorn/local-stores/free-port'
import { startWatchdog } from '@posthorn/local-stores/watchdog'
import { openPool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'

export interface InstalledPostgres {
  url: string
  /** A folder of its user's, which is removed with it. */
  dir: string
  /** Runs one of its tools; throws with what it printed when it fails. */
  run(tool: 'pg_dump' | 'pg_restore' | 'dropdb' | 'createdb', args: readonly string[]): void
  stop(): Promise<void>
}

const DATABASE = 'posthorn'

/** @param bin the folder of its programs */
export async function startInstalledPostgres(bin: string): Promise<InstalledPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'posthorn-installed-postgres-'))
  // It refuses to run as root; its package makes this user.
  const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined
  if (user !== undefined) chownSync(dir, user.uid, user.gid)
  const port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '', PGHOST: '127.0.0.1', PGPORT: String(port) }

  function run(tool: string, args: readonly string[]): void {
    const options = { ...user, env: { ...env, PGUSER: DATABASE }, cwd: dir, encoding: 'utf8' }
    const done = spawnSync(join(bin, tool), args, options as { encoding: 'utf8' })
    if (done.status !== 0)
      throw new Error(`${tool} ${args.join(' ')}: ${done.error?.message ?? done.stderr}`)
  }

  run('initdb', ['-D', join(dir, 'data'), `--username=${DATABASE}`, '--auth=trust', '--no-sync'])
  const watchdog = startWatchdog(dir)
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', join(dir, 'data'), '-p', String(port), ...settings],
    { ...user, env, cwd: dir, stdio: 'ignore' },
  )
  watchdog.watch(server.pid ?? 0, 'QUIT')
  const gone = new Promise((resolve) => server.once('exit', resolve))
  const stop = async (): Promise<void> => {
    server.kill('SIGQUIT')
    await gone
    watchdog.release()
    rmSync(dir, { recursive: true, force: true })
  }
  const base = `postgres://${DATABASE}@127.0.0.1:${port}`
  await eventually(async () => await answers(`${base}/postgres`), { timeoutMs: 60_000 })
  run('createdb', [DATABASE])
  return { url: `${base}/${DATABASE}`, dir, run, stop }
}

async function answers(url: string): Promise<void> {
  const pool = openPool({ url, max: 1, name: 'test', onError() {} })
  try {
    await pool.query('SELECT 1')
  } finally {
    await pool.end()
  }
}

function idsOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined) throw new Error(`there is no user ${name} to run Postgres as`)
  return { uid: Number(uid), gid: Number(gid) }
}
