/** Postgres as operators have it: with TLS of their own authority, and with a standby. */
import { spawnSync } from 'node:child_process'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '@posthorn/egress/certificate.fixture'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { openPool, type Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'

export async function withPool<Result>(
  url: string,
  work: (pool: Pool) => Promise<Result>,
  isPooled = false,
): Promise<Result> {
  const pool = openPool({ url, max: 2, name: 'test', onError: () => {}, isPooled })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Where Postgres keeps its files, and who may read them. */
async function filesOf(url: string): Promise<{ path: string; uid: number; gid: number }> {
  const { rows } = await withPool(url, (pool) =>
    pool.query<{ path: string }>(`SELECT current_setting('data_directory') AS path`),
  )
  const path = rows[0]?.path ?? ''
  const { uid, gid } = await stat(path)
  return { path, uid, gid }
}

export async function turnTlsOn(server: ServerHandle, own: Certificate): Promise<void> {
  const { path, uid, gid } = await filesOf(server.url)
  for (const [name, text] of [
    ['server.crt', own.cert],
    ['server.key', own.key],
  ] as const) {
    await writeFile(join(path, name), text, { mode: 0o600 })
    await chown(join(path, name), uid, gid)
  }
  await withPool(server.url, async (pool) => {
    await pool.query('ALTER SYSTEM SET ssl = on')
    await pool.query('SELECT pg_reload_conf()')
    await eventually(async () => {
      const { rows } = await pool.query('SHOW ssl')
      return rows[0]?.ssl === 'on'
    })
  })
}

export interface PostgresPair {
  primary: ServerHandle
  standby: ServerHandle
  stop(): Promise<void>
}

/** A primary whose commits wait for its standby. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-pair-'))
  spawnSync('chmod', ['711', dir])
  const [first, second] = [join(dir, 'first'), join(dir, 'second')]
  const settings = { wal_level: 'replica', max_wal_senders: 4, hot_standby: 'on' }
  const made = await startPostgresServer({ dataDir: first, settings })
  const { path, uid, gid } = await filesOf(made.url)
  await made.stop()
  spawnSync('cp', ['-a', first, second])
  await rm(join(second, 'postgres-port'))
  const primary = await startPostgresServer({ dataDir: first, settings })
  const { hostname, port, username, password } = new URL(primary.url)
  const copied = path.replace(first, second)
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
  for (const [name, text] of [
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${conninfo} application_name=standby'\n`],
  ] as const) {
    await writeFile(join(copied, name), text, { mode: 0o600 })
    await chown(join(copied, name), uid, gid)
  }
  const standby = await startPostgresServer({ dataDir: second, settings })
  await withPool(primary.url, async (pool) => {
    await pool.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
    await pool.query('SELECT pg_reload_conf()')
    await eventually(async () => {
      const { rows } = await pool.query('SELECT sync_state FROM pg_stat_replication')
      return rows[0]?.sync_state === 'sync'
    })
  })
  return {
    primary,
    standby,
    async stop() {
      await standby.stop()
      await primary.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Makes the standby the primary. */
export async function promote({ standby }: PostgresPair): Promise<void> {
  await withPool(standby.url, async (pool) => {
    await pool.query('SELECT pg_promote(true, 30)')
    await eventually(async () => {
      const { rows } = await pool.query('SELECT pg_is_in_recovery() AS waits')
      return rows[0]?.waits === false
    })
  })
}
