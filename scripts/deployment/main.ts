/** `npm run deployment`: writes what deploy/ and k8s/ have from the catalogs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { deploymentFiles } from './files.ts'

const root = new URL('../../', import.meta.url)
for (const [path, text] of Object.entries(deploymentFiles())) {
  const file = new URL(path, root)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, text)
}
