/**
 * `npm run settings`: writes `.env.example` and the table of docs/settings.md from the schema of
 * the settings, and the table of docs/operations.md from the catalog of metrics.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { envExample, withSettingsTable } from '@posthorn/runtime/settings-docs'
import { withMetricsTable } from './metrics-table.ts'

const root = new URL('../../', import.meta.url)
await writeFile(new URL('.env.example', root), envExample())
const pages = { 'docs/settings.md': withSettingsTable, 'docs/operations.md': withMetricsTable }
for (const [path, withTable] of Object.entries(pages)) {
  const page = new URL(path, root)
  await writeFile(page, withTable(await readFile(page, 'utf8')))
}
