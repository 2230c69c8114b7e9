/**
 * A program that tests and developers need: the one on the PATH. Where there is none, and as root,
 * Debian's package is installed.
 */
import { spawnSync } from 'node:child_process'

/**
 * Throws with what to do.
 * @param otherwise how else it can be had
 */
export function ensureProgram(command: string, packageName: string, otherwise: string): void {
  if (isThere(command)) return
  const how = `Install it (Debian: apt-get install ${packageName}; ${otherwise}.`
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error(`There is no ${command} on the PATH. ${how}`)
  }
  process.stderr.write(`${command} is not there: installing it with apt-get\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['-y', '-q', '--no-install-recommends', 'install', packageName]
  spawnSync('apt-get', ['-q', 'update'], { env, timeout: 300_000 })
  const done = spawnSync('apt-get', install, { env, encoding: 'utf8', timeout: 300_000 })
  if (done.status === 0 && isThere(command)) return
  throw new Error(`apt-get could not install ${packageName}: ${done.stderr.trim()}\n${how}`)
}

function isThere(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}
