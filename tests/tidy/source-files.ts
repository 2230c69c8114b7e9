/**
 * The files of the repository as the rules here see them: what is written by hand, with what it imports.
 *
 * Read from the working tree, not from git: a file counts from the moment it is there.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** From the root, with `/`. */
  path: string
  text: string
}

export const root = fileURLToPath(new URL('../../', import.meta.url))
const IGNORED = new Set([
  'node_modules',
  '.git',
  '.posthorn',
  '.cache',
  'coverage',
  'generated',
  'dist',
])
/** A text file over this size is data. */
const MAX_BYTES = 1024 * 1024

export function readFiles(): SourceFile[] {
  return walk(root).map((path) => ({
    path: relative(root, path).replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }))
}

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (IGNORED.has(entry.name)) return []
    if (entry.isDirectory()) return walk(path)
    if (!entry.isFile() || entry.name.endsWith('.log')) return []
    return statSync(path).size <= MAX_BYTES && !isBinary(path) ? [path] : []
  })
}

function isBinary(path: string): boolean {
  return /\.(png|jpe?g|gif|ico|woff2?|gz|zip|wasm)$/.test(path)
}

/** Code of the product and its tools: TypeScript and JavaScript modules. */
export function isCode({ path }: SourceFile): boolean {
  return /\.(ts|mts|mjs|js)$/.test(path) && !path.endsWith('.d.ts')
}

export function isTest({ path }: SourceFile): boolean {
  return (
    /\.(test|conformance|fixture|bench|signer|vectors)\.ts$/.test(path) ||
    /^(tests|libs\/testing|libs\/local-stores|scripts)\//.test(path)
  )
}

/** Without comments and without what stands in plain strings, so that words about a call are not taken for one. */
export function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
}

/** What a file imports, by any of the ways to do it. */
export function importsOf(text: string): string[] {
  const withoutComments = text.replaceAll(/^\s*\/\*[^]*?\*\//gm, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const statements = withoutComments.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/g,
  )
  return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}
