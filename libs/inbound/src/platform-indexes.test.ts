/** The indexes hold every file in `platforms/`: when it fails, run `npm run presets`. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { platformIndexes } from './platform-indexes.ts'

const here = new URL('./', import.meta.url)

test('the indexes of the platforms are up to date: else run `npm run presets`', async () => {
  const indexes = platformIndexes(await readdir(new URL('platforms/', here)))
  expect(indexes.size).toBe(2)
  for (const [name, text] of indexes) expect(await readFile(new URL(name, here), 'utf8')).toBe(text)
})

test('a preset, a signer and vectors are told apart by their names, a test is none of them', () => {
  const files = [
    'b-c.ts',
    'b-c.signer.ts',
    'b-c.vectors.ts',
    'b-c.verifier.ts',
    'b-c.test.ts',
    'a.ts',
  ]
  const [presets, forTests] = [...platformIndexes(files).values()]
  expect(presets?.match(/import\('.*'\)/g)).toEqual([
    "import('./platforms/a.ts')",
    "import('./platforms/b-c.ts')",
  ])
  expect(forTests?.match(/import\('.*'\)/g)).toEqual([
    "import('./platforms/b-c.signer.ts')",
    "import('./platforms/b-c.vectors.ts')",
  ])
})
