/**
 * The SDK for Go as its users compile it: its own tests by the machine's Go with the race detector,
 * by the oldest Go that its module names, and by the newest. Go fetches those two, and a linter,
 * from its public module proxy once, into its own cache.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { expectGo, GO_MODULE } from '../../tests/deploy/go-module.ts'
import { run, testWith } from '../../tests/deploy/tools.ts'

/** Several times what they take with nothing compiled yet, on two cores that others use too. */
const TIMEOUT_MS = 900_000
const OLDEST = 'go1.25.14'
const NEWEST = 'go1.27.4'
const LINTER = 'honnef.co/go/tools/cmd/staticcheck@v0.8.2'

testWith(
  ['go', 'gcc'],
  'its tests hold with the race detector',
  async () => {
    await expectGo(['vet', './...'])
    expect(await expectGo(['test', '-race', './...'])).toContain('posthorn-go/webhooks')
  },
  TIMEOUT_MS,
)

for (const toolchain of [OLDEST, NEWEST])
  testWith(
    ['go'],
    `its tests hold with ${toolchain}`,
    async () => {
      expect(await expectGo(['version'], toolchain)).toContain(toolchain)
      await expectGo(['vet', './...'], toolchain)
      await expectGo(['test', './...'], toolchain)
    },
    TIMEOUT_MS,
  )

testWith(
  ['go'],
  'it is formatted as gofmt would, needs no other module, and a linter finds nothing in it',
  async () => {
    const gofmt = join((await expectGo(['env', 'GOROOT'])).trim(), 'bin/gofmt')
    expect(await run(gofmt, ['-l', GO_MODULE])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(GO_MODULE, 'go.mod'), 'utf8')).toBe(
      `module github.com/posthorn/posthorn-go\n\ngo ${OLDEST.slice(2, 6)}.0\n`,
    )
    await expectGo(['run', LINTER, './...'])
  },
  TIMEOUT_MS,
)
