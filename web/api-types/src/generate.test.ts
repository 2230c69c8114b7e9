/** The committed types are those of the route catalog. */
import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { generateApiTypes } from './generate.ts'

test('the types of the pages are those of the API: else run npm run api-types', async () => {
  const committed = await readFile(new URL('../../src/generated/api.ts', import.meta.url), 'utf8')
  expect(committed === (await generateApiTypes())).toBe(true)
})
