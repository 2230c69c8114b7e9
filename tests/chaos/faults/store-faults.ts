/** Faults of Postgres, Redis and Kafka. */
import { execFileSync } from 'node:child_process'
import { open, readFile, rm, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { isRunning } from '@posthorn/runtime/processes'
import { eventually } from '@posthorn/testing/eventually'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import type { Pool } from '@posthorn/store/pool'
import type { World } from '../world.ts'
import {
  type InjectedFault,
  BOTH,
  CLUSTER,
  type Fault,
  MINUTE,
  MOMENT,
  type StoreName,
} from './fault.ts'

/** The last bytes of the disk, which are filled piece by piece. */
const LAST_BYTES = 64 * 1024 * 1024
const FROZEN = { long: 10_000, short: 10_000 }

function store(world: World, name: StoreName): ServerHandle {
  const handle = world[name]
  if (handle === undefined) throw new Error(`there is no ${name} in ${world.mode}`)
  return handle
}

/** @param signal ends the store; it comes back with what it has on disk */
function stopFault(
  name: StoreName,
  signal: NodeJS.Signals,
  long: boolean,
): Omit<Fault, 'name' | 'what'> {
  return {
    modes: name === 'postgres' ? BOTH : CLUSTER,
    accepting: name === 'postgres' ? 'no' : 'yes',
    ...(long ? { down: name } : {}),
    durationMs: long ? MINUTE : { long: 3_000, short: 3_000 },
    async inject(world) {
      const handle = store(world, name)
      const { pid } = handle
      process.kill(pid, signal)
      await eventually(() => !isRunning(pid), { timeoutMs: 30_000, everyMs: 5 })
      return injected(async () => await handle.restart())
    },
  }
}

function injected(end: () => Promise<void>): InjectedFault {
  return { detail: '', victims: [], end }
}

function freezeFault(name: StoreName): Fault {
  return {
    name: `${name}-frozen`,
    what: `${name} stopped by SIGSTOP and continued`,
    modes: CLUSTER,
    accepting: 'yes',
    down: name,
    durationMs: FROZEN,
    async inject(world) {
      const { pid } = store(world, name)
      process.kill(pid, 'SIGSTOP')
      return injected(async () => void process.kill(pid, 'SIGCONT'))
    },
  }
}

/** All processes are stopped, so that nobody answers while the kernel still accepts connections. */
const postgresFrozen: Fault = {
  name: 'postgres-frozen',
  what: 'all processes of Postgres stopped by SIGSTOP and continued',
  modes: BOTH,
  accepting: 'no',
  down: 'postgres',
  durationMs: { long: 30_000, short: 12_000 },
  async inject(world) {
    const { pid } = world.postgres
    // Once the postmaster is stopped it starts no more processes.
    process.kill(pid, 'SIGSTOP')
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const pids = [pid, ...children.trim().split(' ').map(Number)]
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const one of pids) if (isRunning(one)) process.kill(one, signal)
    }
    signalAll('SIGSTOP')
    return { ...injected(async () => signalAll('SIGCONT')), isPostgresSilent: true }
  },
}

const postgresCut: Fault = {
  name: 'postgres-cut',
  what: 'every connection to Postgres ended by pg_terminate_backend, five times',
  modes: BOTH,
  accepting: 'any',
  durationMs: MOMENT,
  async inject(world) {
    for (let time = 0; time < 5; time += 1) {
      await world.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE pid <> pg_backend_pid() AND usename = current_user`,
      )
    }
    return injected(async () => {})
  },
}

const postgresBackend: Fault = {
  name: 'postgres-session-killed',
  what: 'one session of Postgres killed with -9: it drops all of them and recovers',
  modes: BOTH,
  accepting: 'any',
  durationMs: MOMENT,
  async inject(world) {
    const { rows } = await world.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'posthorn%' LIMIT 1",
    )
    if (rows[0] !== undefined) process.kill(rows[0].pid, 'SIGKILL')
    return injected(async () => {})
  },
}

const postgresFull: Fault = {
  name: 'postgres-disk-full',
  what: 'Postgres’s file system is full',
  modes: BOTH,
  accepting: 'any',
  durationMs: { long: 20_000, short: 8_000 },
  async inject(world) {
    const disk = world.disk as string
    const ballast = join(disk, 'ballast')
    const { bavail, bsize } = await statfs(disk)
    execFileSync('fallocate', ['-l', String(bavail * bsize - LAST_BYTES), ballast])
    await fillUp(ballast)
    const { postgres } = world
    await untilFull(world.pool)
    return injected(async () => {
      await rm(ballast)
      // A Postgres without space for its WAL panics, and may not even be able to recover.
      if (!isRunning(postgres.pid)) await postgres.restart()
    })
  },
}

/** Appends until the file system refuses. Postgres keeps taking and freeing space meanwhile. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (const bytes of [65_536, 4_096]) {
      const chunk = Buffer.alloc(bytes)
      while (await isWritten(file.write(chunk))) continue
    }
  } finally {
    await file.close()
  }
}

async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

/** Makes sure that the disk is full: a large write must be refused. */
async function untilFull(pool: Pool): Promise<void> {
  const refusal = await pool
    .query("CREATE TABLE chaos_fills AS SELECT repeat('x', 1000) FROM generate_series(1, 5000)")
    .then(
      () => 'was written',
      (error: { code?: string; message: string }) => `${error.code ?? ''} ${error.message}`,
    )
  // 53100 is "disk full". Without space for its WAL Postgres panics instead and ends the
  // connection.
  if (!/^53100|terminat|ECONN|shutdown|recovery/i.test(refusal))
    throw new Error(`the disk is not full: 5 MB: ${refusal}`)
}

const redisFlushed: Fault = {
  name: 'redis-flushed',
  what: 'FLUSHALL',
  modes: CLUSTER,
  accepting: 'yes',
  durationMs: MOMENT,
  async inject(world) {
    const port = Number(new URL(store(world, 'redis').url).port)
    await new Promise<void>((done, failed) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('FLUSHALL\r\n'))
      socket.once('error', failed)
      socket.once('data', () => {
        socket.destroy()
        done()
      })
    })
    return injected(async () => {})
  },
}

const kafkaWiped: Fault = {
  name: 'kafka-wiped',
  what: 'Kafka killed with -9, its data wiped',
  modes: CLUSTER,
  accepting: 'yes',
  down: 'kafka',
  durationMs: { long: 5_000, short: 5_000 },
  async inject(world) {
    const kafka = world.kafka
    if (kafka === undefined) throw new Error('there is no Kafka')
    await kafka.kill()
    await kafka.wipe()
    return injected(async () => await kafka.restart())
  },
}

export const STORE_FAULTS: readonly Fault[] = [
  {
    name: 'postgres-killed',
    what: 'Postgres killed with -9',
    ...stopFault('postgres', 'SIGKILL', false),
  },
  {
    name: 'postgres-stopped',
    what: 'Postgres stopped at once (immediate)',
    ...stopFault('postgres', 'SIGQUIT', false),
  },
  { name: 'postgres-gone', what: 'Postgres gone', ...stopFault('postgres', 'SIGQUIT', true) },
  postgresFrozen,
  postgresCut,
  postgresBackend,
  postgresFull,
  { name: 'redis-killed', what: 'Redis killed with -9', ...stopFault('redis', 'SIGKILL', false) },
  { name: 'redis-gone', what: 'Redis gone', ...stopFault('redis', 'SIGKILL', true) },
  redisFlushed,
  freezeFault('redis'),
  { name: 'kafka-killed', what: 'Kafka killed with -9', ...stopFault('kafka', 'SIGKILL', false) },
  { name: 'kafka-gone', what: 'Kafka gone', ...stopFault('kafka', 'SIGKILL', true) },
  kafkaWiped,
  freezeFault('kafka'),
]
