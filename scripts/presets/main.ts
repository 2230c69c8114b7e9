/** `npm run presets`: writes the table of platforms in `docs/inbound.md` from their presets. */
import { readFile, writeFile } from 'node:fs/promises'
import { withPresetsTable } from '@posthorn/inbound/presets-docs'

const page = new URL('../../docs/inbound.md', import.meta.url)
await writeFile(page, withPresetsTable(await readFile(page, 'utf8')))
