/** Finds a Java that the servers of others can run on. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const LEAST = 17

/**
 * The path of the program. Throws with what to do.
 * @param otherwise what else somebody without Java can do: the end of a sentence, or nothing
 */
export function findJava(needer: string, otherwise = ''): string {
  const home = process.env['JAVA_HOME']
  const java = home ? join(home, 'bin', 'java') : 'java'
  const done = spawnSync(java, ['-version'], { encoding: 'utf8' })
  const major = Number(/version "(\d+)/.exec(done.stderr ?? '')?.[1] ?? 0)
  if (major >= LEAST) return java
  throw new Error(
    `${needer} needs Java ${LEAST} or newer, and ` +
      `${major === 0 ? 'there is none' : `this is Java ${major}`} (on the PATH, or in JAVA_HOME). ` +
      'Install it (Debian: apt-get install openjdk-17-jre-headless; ' +
      `macOS: brew install openjdk@17)${otherwise}.`,
  )
}
