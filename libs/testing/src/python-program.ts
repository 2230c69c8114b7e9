/**
 * Installs a program that is written in Python: pip installs it once, in the versions of a
 * committed list, into an environment of its own in a cache folder of the user's.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

/** Some 20 MB of packages. */
const INSTALL_TIMEOUT_MS = 300_000
const HOW =
  'Install Python 3.10 or newer with venv (Debian: apt-get install python3-venv; macOS: brew install python) ' +
  'and see that pip reaches a package index.'

export interface PythonProgram {
  /** The package, which names the environment. */
  name: string
  /** The program's file in the environment. */
  command: string
  /** A list of packages with their versions, as pip reads it. */
  requirements: string
}

/** The program's path; it is installed first if need be. Throws with what to do. */
export async function ensurePythonProgram({
  name,
  command,
  requirements,
}: PythonProgram): Promise<string> {
  const list = await readFile(requirements)
  const version = createHash('sha256').update(list).digest('hex').slice(0, 12)
  const folder = join(cacheHome(), 'posthorn', `${name}-${version}`)
  const program = join(folder, 'bin', command)
  // Written last: an environment can't be moved, so one whose installation broke off stays where it
  // is.
  const marker = join(folder, 'installed')
  if (await isThere(marker)) return program
  ensurePython()
  process.stderr.write(`installing ${name} with pip, once\n`)
  await mkdir(join(folder, '..'), { recursive: true })
  await rm(folder, { recursive: true, force: true })
  try {
    const run = promisify(execFile)
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_TIMEOUT_MS })
    const install = ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]
    await run(join(folder, 'bin', 'pip'), install, { timeout: INSTALL_TIMEOUT_MS })
    await writeFile(marker, '')
  } catch (cause) {
    const reason = (cause as Error).message.slice(-600)
    throw new Error(`${name} could not be installed: ${reason}\n${HOW}`, { cause })
  }
  return program
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

/** A Python 3 with venv; it is installed first if need be. Throws with what to do. */
export function ensurePython(): void {
  if (hasPython()) return
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error(`There is no Python 3 with venv on the PATH. ${HOW}`)
  }
  process.stderr.write('python3-venv is not there: installing it with apt-get\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['-y', '-q', '--no-install-recommends', 'install', 'python3-venv']
  spawnSync('apt-get', ['-q', 'update'], { env, timeout: INSTALL_TIMEOUT_MS })
  const done = spawnSync('apt-get', install, {
    env,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  })
  if (done.status === 0 && hasPython()) return
  throw new Error(`apt-get could not install python3-venv: ${done.stderr.trim()}\n${HOW}`)
}

/**
 * Debian's own Python has the module `venv` and not `ensurepip`, without which no environment gets
 * its pip.
 */
function hasPython(): boolean {
  const needs = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  return spawnSync('python3', ['-c', needs]).status === 0
}
