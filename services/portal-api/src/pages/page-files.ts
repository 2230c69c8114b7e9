/**
 * The built pages in memory: the two shells as text, every other file as it is and compressed. Some
 * 2 MB; a path of a request is only ever looked up, never joined to a folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { extname, join } from 'node:path'

export interface PageFile {
  contentType: string
  /** By the name of the encoding. */
  bodies: ReadonlyMap<'identity' | 'br' | 'gzip', Buffer>
}

export interface PageFiles {
  /** HTML with `__NONCE__` where each answer has its nonce. null: it is not built. */
  shells: { dashboard: string | null; portal: string | null }
  /** By path, such as `/assets/dashboard-1a2b3c.js`. */
  assets: ReadonlyMap<string, PageFile>
}

export const PAGES_FOLDER = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** @returns null: it is not built */
export function readShell(folder: string, name: 'dashboard' | 'portal'): string | null {
  const path = join(folder, `${name}.html`)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

export function readPageFiles(folder: string): PageFiles {
  const shells = { dashboard: readShell(folder, 'dashboard'), portal: readShell(folder, 'portal') }
  if (!existsSync(join(folder, 'assets'))) return { shells, assets: new Map() }
  const names = readdirSync(join(folder, 'assets'))
  const assets = new Map<string, PageFile>()
  for (const name of names) {
    const contentType = TYPES[extname(name)]
    if (contentType === undefined) continue
    const read = (ending: string): Buffer => readFileSync(join(folder, 'assets', name + ending))
    const bodies = new Map<'identity' | 'br' | 'gzip', Buffer>([['identity', read('')]])
    if (names.includes(`${name}.br`)) bodies.set('br', read('.br'))
    if (names.includes(`${name}.gz`)) bodies.set('gzip', read('.gz'))
    assets.set(`/assets/${name}`, { contentType, bodies })
  }
  return { shells, assets }
}
