/** The documentation of the settings is what the schema says: when it fails, run `npm run settings`. */
import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { envExample, settingsTable, withSettingsTable } from './settings-docs.ts'

const root = new URL('../../../', import.meta.url)

test('.env.example is up to date: else run `npm run settings`', async () => {
  expect(await readFile(new URL('.env.example', root), 'utf8')).toBe(envExample())
})

test("the README's table is up to date: else run `npm run settings`", async () => {
  const readme = await readFile(new URL('README.md', root), 'utf8')
  expect(readme).toContain(settingsTable())
  expect(withSettingsTable(readme)).toBe(readme)
})
