/**
 * A real Postgres that needs no installation: the binaries come from npm, the files are in the data
 * directory.
 *
 * It runs in a session of its own, so that a Ctrl-C in the terminal reaches the application alone,
 * which stops Postgres after it has drained. So it also outlives an application that is killed. The
 * next start finds it by its `postmaster.pid` and adopts it, with the settings it was started with.
 * One application owns a data directory at a time.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findPlace, type PostgresPlace } from './embedded-postgres-place.ts'
import { endPostmaster, findRunning, identity, launchPostmaster } from './postmaster.ts'
import { isRunning, processStart } from './processes.ts'

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** Postgres's own settings; they replace the defaults of `postmaster.ts`. */
  settings?: Readonly<Record<string, string | number>>
  /** Is told what is out of the ordinary: an adoption, data kept elsewhere. */
  say?: (line: string) => void
}

export interface EmbeddedPostgres {
  /** Over TCP, on loopback. */
  url: string
  /**
   * The same database over its Unix socket, or `url` where it has none. A statement of one event
   * takes 0.95 of the time over it, and 0.85 of the processor time that this side spends on it:
   * measured in turns over both.
   */
  socketUrl: string
  pid: number
  /** Whether it ran already, left behind by an application that was killed. */
  adopted: boolean
  /** Ends it in good order: sessions are cut off, and what was committed is on disk. */
  stop(): Promise<void>
}

const USER = 'posthorn'
/** initdb takes half a second; a slow disk ten. */
const INITDB_TIMEOUT_MS = 60_000

/**
 * Starts, or adopts, the Postgres of a data directory. Throws while another living process owns it.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const say = options.say ?? (() => {})
  const dataDir = resolve(options.dataDir)
  const place = await findPlace(dataDir, say)
  await own(dataDir)
  try {
    const password = await ensureCluster(dataDir, place)
    const running = await findRunning(place)
    const { pid, port, socketDir } =
      running ?? (await launchPostmaster(dataDir, place, options.settings ?? {}))
    if (running !== undefined) say(`Postgres was still running (process ${pid}): adopted`)
    await writeFile(join(dataDir, 'postgres-port'), `${port}\n`)
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`
    return {
      url,
      socketUrl: socketDir === '' ? url : `${url}?host=${encodeURIComponent(socketDir)}`,
      pid,
      adopted: running !== undefined,
      stop: async () => {
        await endPostmaster(pid)
        await rm(join(dataDir, 'postgres-owner'), { force: true })
      },
    }
  } catch (error) {
    await rm(join(dataDir, 'postgres-owner'), { force: true })
    throw error
  }
}

/** Two applications on one data directory would stop each other's database. */
async function own(dataDir: string): Promise<void> {
  const path = join(dataDir, 'postgres-owner')
  const me = `${process.pid} ${processStart(process.pid)}\n`
  for (let attempts = 0; attempts < 10; attempts += 1) {
    try {
      await writeFile(path, me, { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const text = await readFile(path, 'utf8').catch(() => '')
    const [pid = '', start = ''] = text.trim().split(' ')
    const alive = pid !== '' && isRunning(Number(pid)) && processStart(Number(pid)) === start
    if (alive && Number(pid) !== process.pid) {
      throw Object.assign(
        new Error(`Process ${pid} runs on ${dataDir} already. Stop it, or give another DATA_DIR.`),
        { code: 'EMBEDDED_POSTGRES_IN_USE' },
      )
    }
    await rm(path, { force: true })
  }
  throw new Error(`${path} cannot be taken: several processes start on ${dataDir} at once.`)
}

/** Makes the cluster when there is none, whole or not at all, and answers its password. */
async function ensureCluster(dataDir: string, place: PostgresPlace): Promise<string> {
  const path = join(dataDir, 'postgres-password')
  const known = (await readFile(path, 'utf8').catch(() => '')).trim()
  const exists = await stat(join(place.clusterDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (exists && known !== '') return known
  if (exists) {
    throw new Error(
      `${path} is gone, and without it nobody can log in to ${place.clusterDir}. ` +
        'Put the file back, or remove that folder to begin with an empty database.',
    )
  }
  const password = known === '' ? randomBytes(24).toString('base64url') : known
  await writeFile(path, `${password}\n`, { mode: 0o600 })
  await initialise(place, password)
  return password
}

async function initialise(place: PostgresPlace, password: string): Promise<void> {
  const { account, clusterDir, nativeDir } = place
  const draft = await mkdtemp(`${clusterDir}.new-`)
  const passwordFile = `${draft}.password`
  try {
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o700)
    if (account !== undefined) {
      await chown(draft, account.uid, account.gid)
      await chown(passwordFile, account.uid, account.gid)
    }
    const flags = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256']
    const done = spawnSync(
      join(nativeDir, 'bin', 'initdb'),
      ['-D', draft, `--username=${USER}`, `--pwfile=${passwordFile}`, ...flags],
      { ...identity(account), encoding: 'utf8', timeout: INITDB_TIMEOUT_MS },
    )
    if (done.status !== 0) {
      const output = `${done.stdout ?? ''}${done.stderr ?? ''}`.trim().split('\n').slice(-5)
      throw new Error(`initdb failed: ${done.error?.message ?? output.join('; ')}`)
    }
    await rename(draft, clusterDir)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}
