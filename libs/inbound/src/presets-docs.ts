/** The presets as documentation: the table of all platforms in `docs/inbound.md`. */
import { headersUsed } from './incoming-event.ts'
import type { Preset } from './preset.ts'

export function presetsTable(presets: readonly Preset[]): string {
  const rows = presets
    .toSorted((a, b) => (a.source < b.source ? -1 : 1))
    .map((preset) => `| ${cellsOf(preset).map(cell).join(' | ')} |`)
  return [
    '| `source` | platform | mode | `sourceConfig` | signature in | good to know |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function cellsOf(preset: Preset): string[] {
  const { source, name, docs, mode, configKeys, verify, notes = '' } = preset
  const keys = configKeys.map((key) => `\`${key.name}\`${key.required ? '' : ' (optional)'}`)
  return [
    `\`${source}\``,
    docs === '' ? name : `[${name}](${docs})`,
    mode,
    keys.join(', '),
    headersUsed(verify)
      .map((header) => `\`${header}\``)
      .join(', '),
    notes,
  ]
}

/**
 * A cell's text in one line, with the characters escaped that would end the cell or begin a tag.
 */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim()
}

const TABLE = /(<!-- presets: made by `npm run presets` -->\n)[\s\S]*?(\n<!-- \/presets -->)/

/** @returns the page with its table up to date */
export function withPresetsTable(page: string, presets: readonly Preset[]): string {
  return page.replace(
    TABLE,
    (_all, before: string, after: string) => `${before}${presetsTable(presets)}${after}`,
  )
}
