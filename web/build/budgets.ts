/**
 * Fails the build when a page loads more than its budget, in kB of gzip: what a first visit loads
 * before anything can be seen, each chunk that comes later, the styles, and the fonts.
 */
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const BUDGETS = { dashboard: 220, portal: 180, css: 12, lazyChunk: 155, fonts: 90 }

interface Sized {
  name: string
  kb: number
}

interface Chunk {
  fileName: string
  code: string
  isEntry: boolean
  name: string
  imports: string[]
}

export function budgets(): Plugin {
  return {
    name: 'budgets',
    writeBundle(_options, bundle) {
      const outputs = Object.values(bundle)
      const chunks = outputs.filter((output) => output.type === 'chunk')
      const entries = chunks.filter(({ isEntry }) => isEntry)
      const first = entries.map((entry) => ({ entry, files: filesOf(entry, chunks) }))
      const eager = new Set(first.flatMap(({ files }) => files.map(({ fileName }) => fileName)))
      const lazy = chunks.filter(({ fileName }) => !eager.has(fileName))
      const assets = outputs.filter((output) => output.type === 'asset')
      const total = (ending: string): number =>
        assets
          .filter(({ fileName }) => fileName.endsWith(ending))
          .reduce((sum, { source }) => sum + sizeOf(source, ending !== '.woff2'), 0)
      const sizes: [Sized, number][] = [
        ...first.map(({ entry, files }): [Sized, number] => [
          {
            name: `first load of ${entry.name}`,
            kb: files.reduce((sum, { code }) => sum + sizeOf(code), 0),
          },
          BUDGETS[entry.name as 'dashboard' | 'portal'],
        ]),
        ...lazy.map(({ fileName, code }): [Sized, number] => [
          { name: fileName, kb: sizeOf(code) },
          BUDGETS.lazyChunk,
        ]),
        [{ name: 'styles', kb: total('.css') }, BUDGETS.css],
        [{ name: 'fonts', kb: total('.woff2') }, BUDGETS.fonts],
      ]
      const over = sizes.filter(([{ kb }, budget]) => !(kb <= budget))
      this.info(
        sizes
          .map(([{ name, kb }, budget]) => `${name}: ${kb.toFixed(1)} of ${budget} kB`)
          .join('\n'),
      )
      if (over.length > 0) {
        const lines = over.map(
          ([{ name, kb }, budget]) => `${name}: ${kb.toFixed(1)} kB, ${budget} at most`,
        )
        this.error(`over budget:\n${lines.join('\n')}`)
      }
    },
  }
}

/** The entry and all that it imports at once. */
function filesOf(entry: Chunk, chunks: readonly Chunk[]): Chunk[] {
  const found = new Map([[entry.fileName, entry]])
  for (const { imports } of found.values()) {
    for (const name of imports) {
      const chunk = chunks.find(({ fileName }) => fileName === name)
      if (chunk !== undefined) found.set(name, chunk)
    }
  }
  return [...found.values()]
}

/** In kB; fonts are compressed as they are. */
function sizeOf(source: string | Uint8Array, isText = true): number {
  return (isText ? gzipSync(source, { level: 9 }).length : source.length) / 1_000
}
