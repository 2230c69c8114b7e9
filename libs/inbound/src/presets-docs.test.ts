/**
 * The documentation of the platforms is made from their presets: when this fails, run `npm run
 * presets`.
 */
import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { loadPresets } from './presets.ts'
import { presetsTable, withPresetsTable } from './presets-docs.ts'

const presets = await loadPresets()
const page = new URL('../../../docs/inbound.md', import.meta.url)

test('the table of platforms is up to date: else run `npm run presets`', async () => {
  const text = await readFile(page, 'utf8')
  expect(text).toContain(presetsTable(presets))
  expect(withPresetsTable(text, presets)).toBe(text)
})

test('it has a line for each platform, with as many cells as its head', () => {
  const [head = '', , ...lines] = presetsTable(presets).split('\n')
  expect(lines).toHaveLength(presets.length)
  const cells = (line: string): number => line.split(/(?<!\\)\|/).length
  for (const line of lines)
    expect({ line, cells: cells(line) }).toEqual({ line, cells: cells(head) })
})

test('there is a section for each mode', async () => {
  const text = await readFile(page, 'utf8')
  for (const mode of new Set(presets.map((preset) => preset.mode)))
    expect(text).toContain(`### \`${mode}\``)
})
