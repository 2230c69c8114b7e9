/** Writes each text of the build compressed beside itself, so that no request waits for it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** The best costs seconds of a slow processor for one part in thirty. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

export function compress(): Plugin {
  return {
    name: 'compress',
    enforce: 'post',
    writeBundle({ dir }) {
      const folder = join(dir as string, 'assets')
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue
        const content = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, BROTLI))
      }
    },
  }
}
