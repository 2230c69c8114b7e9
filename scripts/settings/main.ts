/** `npm run settings`: writes `.env.example` and the README's table from the schema of the settings. */
import { readFile, writeFile } from 'node:fs/promises'
import { envExample, withSettingsTable } from '@posthorn/runtime/settings-docs'

const root = new URL('../../', import.meta.url)
const readme = new URL('README.md', root)
await writeFile(new URL('.env.example', root), envExample())
await writeFile(readme, withSettingsTable(await readFile(readme, 'utf8')))
