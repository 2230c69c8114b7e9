/** `npm run presets`: writes the indexes of the platforms, and their table in `docs/inbound.md`. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { platformIndexes } from '@posthorn/inbound/platform-indexes'
import { withPresetsTable } from '@posthorn/inbound/presets-docs'

const folder = new URL('../../libs/inbound/src/', import.meta.url)
const indexes = platformIndexes(await readdir(new URL('platforms/', folder)))
for (const [name, text] of indexes) await writeFile(new URL(name, folder), text)

const page = new URL('../../docs/inbound.md', import.meta.url)
// Loaded now that the index names them all.
const { loadPresets } = await import('@posthorn/inbound/presets')
await writeFile(page, withPresetsTable(await readFile(page, 'utf8'), await loadPresets()))
