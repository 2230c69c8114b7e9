/**
 * A migration that has landed is never edited: databases have run it as it was, and `migrate`
 * refuses one whose text is another. `libs/store/migrations.sha256` holds the checksum of each; a
 * new migration adds its line.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { expectNone, files } from './broken-rules.ts'
import { root } from './source-files.ts'

const RECORD = 'libs/store/migrations.sha256'
const PATTERN = /^libs\/store\/migrations\/([^/]+)\/migration\.sql$/
const COMMAND = 'WRITE_MIGRATION_CHECKSUMS=1 npm test -- --only tests/tidy/migrations'

const now = new Map(
  files.flatMap(({ path, text }) => {
    const name = PATTERN.exec(path)?.[1]
    return name === undefined ? [] : [[name, createHash('sha256').update(text).digest('hex')]]
  }),
)

/** Checksums by the names of migrations. */
function readRecord(): Map<string, string> {
  const lines = readFileSync(join(root, RECORD), 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]))
}

test('every migration is recorded', () => {
  expect(now.size).toBeGreaterThan(20)
  const missing = [...now].filter(([name]) => !readRecord().has(name)).toSorted()
  if (process.env['WRITE_MIGRATION_CHECKSUMS'] === '1')
    for (const [name, sum] of missing) appendFileSync(join(root, RECORD), `${sum}  ${name}\n`)
  expectNone(
    [...now.keys()].filter((name) => !readRecord().has(name)),
    `${COMMAND} adds the lines of new migrations.`,
  )
})

test('no migration was edited, removed or renamed since', () => {
  const edited = [...readRecord()].filter(([name, sum]) => now.get(name) !== sum)
  expectNone(
    edited.map(([name]) => `libs/store/migrations/${name}`),
    'take its text back, and write what is to change as a new migration. One that nobody else has ' +
      `seen yet loses its line in ${RECORD}, and gets it again by ${COMMAND}.`,
  )
})
