/** `npm run docs`: writes the generated pages, and removes what is generated no longer. */
import { globSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from './api-pages.ts'
import { indexPages } from './index-pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const api = apiPages()
for (const path of globSync('docs/api/*.md', { cwd: root }))
  if (!(path in api)) await rm(join(root, path))
await write(api)
// The index reads what the pages say of themselves, those of the API included.
await write(indexPages())

async function write(pages: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}
