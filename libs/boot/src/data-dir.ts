/**
 * The files that `standalone` and the cluster keep: the generated master key, the first workspace's
 * API key, the URL.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newApiKey } from '@posthorn/domain/api-key'

const SECRET_MODE = 0o600
const PUBLIC_MODE = 0o644

export async function ensureDataDir(dataDir: string): Promise<void> {
  // Other users may pass through, for Postgres runs as another user when we are root. The files
  // inside are closed to them.
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
}

/** The key that is given, else the one generated at the first start. */
export async function masterKeys(
  dataDir: string,
  given: string | undefined,
  previous: readonly string[],
): Promise<string[]> {
  if (given !== undefined) return [given, ...previous]
  return [
    await kept(join(dataDir, 'master-key'), () => randomBytes(32).toString('base64')),
    ...previous,
  ]
}

/**
 * The first workspace's key: the one that is given, else the one made at the first start. Written
 * to `api-key`.
 */
export async function firstApiKey(dataDir: string, given: string | undefined): Promise<string> {
  const path = join(dataDir, 'api-key')
  if (given === undefined) return await kept(path, () => newApiKey('production'))
  await writeWhole(path, given)
  return given
}

export async function writeUrl(dataDir: string, url: string): Promise<void> {
  await writeWhole(join(dataDir, 'url'), url, PUBLIC_MODE)
}

async function kept(path: string, make: () => string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (text.trim() !== '') return text.trim()
  const made = make()
  await writeWhole(path, made)
  return made
}

/**
 * Whoever waits for the file never reads a part of it, and neither a crash nor a power cut leaves
 * one. Only its owner may read it, unless another mode is given.
 */
export async function writeWhole(path: string, text: string, mode = SECRET_MODE): Promise<void> {
  const next = `${path}.new`
  await writeFile(next, `${text}\n`, { mode, flush: true })
  await chmod(next, mode)
  await rename(next, path)
}
