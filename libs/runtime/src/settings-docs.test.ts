/**
 * The documentation of the settings says what the schema says. When this fails, run `npm run
 * settings`.
 */
import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { envExample, settingsTable, withSettingsTable } from './settings-docs.ts'

const root = new URL('../../../', import.meta.url)

test('.env.example is up to date: else run `npm run settings`', async () => {
  expect(await readFile(new URL('.env.example', root), 'utf8')).toBe(envExample())
})

test('docs/settings.md is up to date: else run `npm run settings`', async () => {
  const page = await readFile(new URL('docs/settings.md', root), 'utf8')
  expect(page).toContain(settingsTable())
  expect(withSettingsTable(page)).toBe(page)
})
