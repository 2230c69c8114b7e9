/** `npm run sdks`: writes the generated parts of the SDKs from the route catalog. */
import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './generate.ts'

const root = new URL('../../', import.meta.url)
for (const [path, text] of Object.entries(generatedFiles()))
  await writeFile(new URL(path, root), text)
