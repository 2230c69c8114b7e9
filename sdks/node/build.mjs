/** Builds both module formats into `dist`, with types for each. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = createRequire(join(here, '../../package.json'))
const tsc = join(dirname(root.resolve('typescript/package.json')), 'bin/tsc')
const compile = (...options) =>
  execFileSync(process.execPath, [tsc, '-p', here, ...options], { stdio: 'inherit' })

rmSync(join(here, 'dist'), { recursive: true, force: true })
compile()
compile('--module', 'commonjs', '--moduleResolution', 'bundler', '--outDir', join(here, 'dist/cjs'))
mkdirSync(join(here, 'dist/cjs'), { recursive: true })
writeFileSync(join(here, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
