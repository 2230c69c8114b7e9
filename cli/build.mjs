/**
 * Builds the command into `dist`, with all that it needs in it: an installation is one package, and
 * starts fast. The licenses of what is taken in go with it.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
const { output } = await build({
  cwd: here,
  input: { posthorn: 'src/main.ts' },
  platform: 'node',
  transform: { target: 'node20' },
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    minify: true,
  },
  logLevel: 'warn',
})
chmodSync(join(dist, 'posthorn.mjs'), 0o755)
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(output))

/** The license of each package whose code is in the chunks. */
function licensesOf(chunks) {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds ?? [])
  const folders = modules
    .map((path) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((folder) => folder !== undefined)
  return [...new Set(folders)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map(licenseOf)
    .join('\n')
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const text = file !== undefined && existsSync(join(folder, file))
  return `## ${name} ${version} (${license})\n\n${text ? readFileSync(join(folder, file), 'utf8') : ''}\n`
}
