/**
 * Finds, launches and ends the postmaster.
 *
 * Nothing here speaks SQL: "ready" is what Postgres itself writes into `postmaster.pid`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account, PostgresPlace } from './embedded-postgres-place.ts'
import { isRunning } from './processes.ts'

const DEFAULTS: Readonly<Record<string, string | number>> = {
  listen_addresses: '127.0.0.1',
  max_connections: 150, // 13 processes x (a pool of 8 and 2 of its own) leaves 20 for tools
  shared_buffers: '256MB', // a small machine's share; the kernel's cache holds the rest
  fsync: 'on',
  synchronous_commit: 'on',
  max_wal_size: '2GB', // at 2 KB of WAL an event a million events between two checkpoints
  min_wal_size: '256MB',
  checkpoint_timeout: '15min', // each one makes the next write of every page a full image
  wal_compression: 'off', // lz4 is not built in, and pglz costs more CPU than the bytes are worth
  autovacuum: 'on',
  autovacuum_naptime: '15s', // queue-like tables: most rows die young
  jit: 'off', // short statements: compiling costs more than it saves
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}
const LOG_MAX_BYTES = 10 * 1024 * 1024
/** Crash recovery replays at most `max_wal_size`, at some 50 MB/s on a slow disk. */
const READY_TIMEOUT_MS = 60_000
/** A fast stop writes one checkpoint: 256 MB of buffers at some 20 MB/s on a slow disk. */
const STOP_TIMEOUT_MS = 15_000
const POLL_MS = 5

export interface RunningPostmaster {
  pid: number
  port: number
  /** Where its Unix socket is; '' when it has none. */
  socketDir: string
}

interface PidFile extends RunningPostmaster {
  dataDir: string
  ready: boolean
}

async function readPidFile(clusterDir: string): Promise<PidFile | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  if (lines.length < 4) return undefined
  return {
    pid: Number(lines[0]),
    dataDir: lines[1] ?? '',
    port: Number(lines[3]),
    socketDir: lines[4] ?? '',
    ready: lines[7]?.trim() === 'ready',
  }
}

function runningOf({ pid, port, socketDir }: PidFile): RunningPostmaster {
  return { pid, port, socketDir }
}

/**
 * The running postmaster of this cluster, once it is ready. A stale file is left for Postgres to
 * deal with.
 */
export async function findRunning(place: PostgresPlace): Promise<RunningPostmaster | undefined> {
  const found = await readPidFile(place.clusterDir)
  if (found === undefined || !isRunning(found.pid)) return undefined
  if (!(await isPostmaster(found.pid, found.dataDir, place.clusterDir))) {
    // Its process number went to another process, which Postgres would take for a running
    // postmaster.
    await rm(join(place.clusterDir, 'postmaster.pid'), { force: true })
    return undefined
  }
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    const now = await readPidFile(place.clusterDir)
    if (now?.ready === true) return runningOf(now)
    if (!isRunning(found.pid)) return undefined // it was stopping
    await sleep(POLL_MS)
  }
  throw new Error(`Postgres (process ${found.pid}) is there but not ready; see postgres.log`)
}

async function isPostmaster(pid: number, dataDir: string, clusterDir: string): Promise<boolean> {
  const here = await realpath(clusterDir)
  const there = await realpath(dataDir).catch(() => '')
  if (here !== there) return false
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return command.includes('postgres') && command.includes(dataDir)
}

export async function launchPostmaster(
  dataDir: string,
  place: PostgresPlace,
  settings: Readonly<Record<string, string | number>>,
): Promise<RunningPostmaster> {
  const recorded = Number(await readFile(join(dataDir, 'postgres-port'), 'utf8').catch(() => '0'))
  const deadline = Date.now() + READY_TIMEOUT_MS
  let port = await freePort(recorded)
  let socketDir = socketDirOf(place)
  await removeStaleSockets(place)
  for (;;) {
    const unix_socket_directories = quoteForList(socketDir)
    const all = { ...DEFAULTS, unix_socket_directories, ...settings, port }
    const outcome = await launchOnce(dataDir, place, all, deadline)
    if ('pid' in outcome) return outcome
    if (Date.now() > deadline) throw new Error(`Postgres did not start: ${outcome.said}`)
    if (outcome.said.includes('Unix-domain socket')) {
      socketDir = '' // some file systems, of virtual machines for example, have no sockets
    } else if (outcome.said.includes('Address already in use')) {
      port = await freePort(0)
    } else if (!/pre-existing shared memory|lock file .* already exists/.test(outcome.said)) {
      throw new Error(`Postgres did not start: ${outcome.said}`)
    }
    await sleep(50) // the last sessions of a killed postmaster are still going
  }
}

/**
 * The socket stands with the data, where nobody but Postgres's user and root can reach it. '' when
 * its path would be longer than an address may be: 103 bytes on macOS, 107 on Linux.
 */
function socketDirOf({ clusterDir }: PostgresPlace): string {
  const longest = join(clusterDir, '.s.PGSQL.65535')
  return Buffer.byteLength(longest) <= 103 ? clusterDir : ''
}

/** For a setting that is a list of names. */
function quoteForList(name: string): string {
  return name === '' ? '' : `"${name.replaceAll('"', '""')}"`
}

/**
 * What a killed postmaster left. Its process number may belong to another process by now, which
 * Postgres would take for the one that listens there.
 */
async function removeStaleSockets({ clusterDir }: PostgresPlace): Promise<void> {
  for (const entry of await readdir(clusterDir, { withFileTypes: true })) {
    const isStale = entry.name.startsWith('.s.PGSQL.') && !entry.isDirectory()
    if (isStale) await rm(join(clusterDir, entry.name), { force: true })
  }
}

async function launchOnce(
  dataDir: string,
  place: PostgresPlace,
  settings: Readonly<Record<string, string | number>>,
  deadline: number,
): Promise<RunningPostmaster | { said: string }> {
  const logPath = join(dataDir, 'postgres.log')
  const from = await rotate(logPath)
  const log = openSync(logPath, 'a', 0o600)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    join(place.nativeDir, 'bin', 'postgres'),
    ['-D', place.clusterDir, ...flags],
    { ...identity(place.account), detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  child.once('exit', (code, signal) => (failure = `it ended with ${signal ?? code}`))
  child.unref()
  while (Date.now() < deadline) {
    const found = await readPidFile(place.clusterDir)
    if (found?.pid === child.pid && found?.ready === true) return runningOf(found)
    if (failure !== undefined) return { said: `${failure}: ${await tail(logPath, from)}` }
    await sleep(POLL_MS)
  }
  child.kill('SIGQUIT')
  return { said: `not ready after ${READY_TIMEOUT_MS} ms: ${await tail(logPath, from)}` }
}

/** Keeps one old log. @returns where the new part begins */
async function rotate(path: string): Promise<number> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  if (size < LOG_MAX_BYTES) return size
  await rename(path, `${path}.1`)
  return 0
}

async function tail(path: string, from: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, from)
    return buffer.subarray(0, bytesRead).toString('utf8').trim()
  } finally {
    await file.close()
  }
}

/** The wanted port when nothing listens there, else any free one. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((done, failed) => {
    server.once('error', failed)
    server.listen({ port: wanted, host: '127.0.0.1' }, () => {
      const address = server.address()
      done(typeof address === 'object' && address !== null ? address.port : 0)
    })
  }).catch((error: NodeJS.ErrnoException) => {
    if (wanted === 0) throw error
    return undefined
  })
  if (port === undefined) return await freePort(0)
  await new Promise<void>((done) => server.close(() => done()))
  return port
}

export async function endPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!signalIfRunning(pid, signal)) return
    const deadline = Date.now() + STOP_TIMEOUT_MS
    while (Date.now() < deadline) {
      if (!isRunning(pid)) return
      await sleep(POLL_MS)
    }
  }
  throw new Error(`Postgres (process ${pid}) does not stop`)
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): boolean {
  if (!isRunning(pid)) return false
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/**
 * The application's environment is not passed on: its `PG…` variables would change what Postgres
 * does.
 */
export function identity(account: Account | undefined) {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }
  return account === undefined ? { cwd: '/', env } : { cwd: '/', env, ...account }
}
