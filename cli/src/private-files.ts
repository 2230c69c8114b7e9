/**
 * Files that hold credentials: in a folder that only their owner may enter, with mode 0600, and
 * replaced as a whole, so that a process that dies while writing leaves the former file.
 */
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export function configFolder(env: Environment): string {
  const own = env['POSTHORN_CONFIG_DIR']
  if (own) return own
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'posthorn')
}

/** @returns undefined where there is none */
export async function readPrivate(path: string): Promise<unknown> {
  let text: string
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') await chmod(path, 0o600)
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new Error(`${path} is not JSON: remove it, and log in again`, { cause })
  }
}

export async function writePrivate(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
