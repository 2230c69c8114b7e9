/**
 * Finds a server written in Go that tests need: the one on the PATH, else built once by Go into a
 * cache folder of the user's (some two minutes on two cores). Go checks what it fetches against its
 * own checksum database.
 */
import { execFile, spawnSync } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

export interface GoBinary {
  /** The name of the program on the PATH, which must know `--version`. */
  name: string
  version: string
  /** The Go package of the command, without its version. */
  package: string
  what: string
  /** What else whoever has no Go can do. */
  otherwise?: string
}

/** Measured: 98 s of one core with 2 cores, fetching included. */
const BUILD_TIMEOUT_MS = 600_000

/** @returns the program's path */
export async function ensureGoBinary(binary: GoBinary): Promise<string> {
  const { name, version, what } = binary
  if (spawnSync(name, ['--version']).status === 0) return name
  const folder = join(cacheHome(), 'posthorn', `${name}-${version}`)
  const built = join(folder, name)
  const isThere = await access(built).then(
    () => true,
    () => false,
  )
  if (isThere) return built
  const how =
    `Install Go 1.25 or newer and run again, or put ${name} ${version} on the PATH` +
    (binary.otherwise === undefined ? '.' : `, ${binary.otherwise}.`)
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(`There is neither ${name} nor Go on the PATH. ${how}`)
  }
  await mkdir(join(folder, '..'), { recursive: true })
  const draft = await mkdtemp(`${folder}.new-`)
  process.stderr.write(`building ${name} ${version}, ${what}, with Go, once\n`)
  try {
    const target = `${binary.package}@v${version}`
    // Not spawnSync: whoever builds has other stores to start meanwhile.
    await promisify(execFile)('go', ['install', '-trimpath', '-ldflags=-s -w', target], {
      env: { ...process.env, GOBIN: draft, CGO_ENABLED: '0' },
      timeout: BUILD_TIMEOUT_MS,
    })
    // Go names a program after its folder, which may be just `server`.
    const [made = name] = await readdir(draft)
    await rename(join(draft, made), join(draft, name))
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
  } catch (cause) {
    const reason = (cause as Error).message.slice(-600)
    throw new Error(`Go could not build ${name}: ${reason}\n${how}`, { cause })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return built
}
