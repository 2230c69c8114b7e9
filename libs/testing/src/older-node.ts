/**
 * Node.js in another version, for tests of what has to run on it: npm gives its binary, once, into
 * a cache folder of the user's.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

/** Some 45 MB. */
const INSTALL_TIMEOUT_MS = 180_000

/** The program's path; it is installed first if need be. Throws with the reason. */
export async function ensureNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const home = join(cacheHome(), 'posthorn')
  const folder = join(home, `${name}-${version}`)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  process.stderr.write(`installing Node ${version} with npm, once\n`)
  await mkdir(home, { recursive: true })
  // Whoever is first puts a whole folder in its place.
  const draft = await mkdtemp(`${folder}.new-`)
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', draft]
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], {
      cwd: draft,
      timeout: INSTALL_TIMEOUT_MS,
    })
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return program
}
