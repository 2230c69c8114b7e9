import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const EVENTUALLY = here('eventually.ts')
const IDS = here('../../domain/src/ids.ts')
let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-runtime-'))
})
afterAll(async () => await rm(dir, { recursive: true, force: true }))

/** Runs the files in one worker of a Jest of its own. */
async function runJest(files: Record<string, string>): Promise<string> {
  for (const [name, body] of Object.entries(files)) await writeFile(join(dir, name), body)
  const config = {
    rootDir: dir,
    testMatch: Object.keys(files).map((name) => `**/${name}`),
    testPathIgnorePatterns: ['product'],
    testEnvironment: here('jest-environment.mjs'),
    runtime: here('jest-runtime.mjs'),
    transform: {},
    watchman: false,
  }
  const flags = ['--config', JSON.stringify(config), '--runInBand', '--verbose']
  const jest = here('../../../node_modules/jest/bin/jest.js')
  const { stderr } = spawnSync(process.execPath, ['--experimental-vm-modules', jest, ...flags], {
    cwd: dir,
    encoding: 'utf8',
    timeout: 180_000,
  })
  return stderr
}

test('two files share what they test, and neither test code nor the clock of ids', async () => {
  const body = `
    import { expect, test } from '@jest/globals'
    import { eventually } from '${EVENTUALLY}'
    import { newId, setIdClock, timeOfId } from '${IDS}'
    const seen = globalThis.seen
    globalThis.seen = { eventually, newId }
    test(seen === undefined ? 'the first' : 'the second', () => {
      if (seen !== undefined) expect(seen.newId).toBe(newId)
      if (seen !== undefined) expect(seen.eventually).not.toBe(eventually)
      expect(timeOfId(newId())).toBeLessThanOrEqual(Date.now())
      setIdClock(() => Date.now() + 86_400_000)
      expect(timeOfId(newId())).toBeGreaterThan(Date.now() + 86_000_000)
    })`
  const said = await runJest({ 'a.test.mjs': body, 'b.test.mjs': body })
  expect(said).toContain('✓ the second')
  expect(said).toContain('2 passed')
})

test('what is no test code can’t import any', async () => {
  const said = await runJest({
    'product.ts': `import { eventually } from '${EVENTUALLY}'\nexport const kept = eventually`,
    'c.test.mjs': `import { test } from '@jest/globals'\nimport './product.ts'\ntest('x', () => {})`,
  })
  expect(said).toMatch(/product\.ts imports .*only test code may/)
})

test('a test and its hooks may take three times what they say, in each of their runs, and no more', async () => {
  const body = `
    import { setTimeout as after } from 'node:timers/promises'
    import { beforeEach, test } from '@jest/globals'
    let runs = 0
    beforeEach(async () => {
      runs += 1
      await (runs === 4 ? new Promise(() => {}) : after(300))
    }, 200)
    for (const n of [1, 2, 3]) test('slow ' + n, async () => await after(300), 200)
    test('hangs in its hook', () => {}, 200)`
  const said = await runJest({ 'd.test.mjs': `${body}\n` })
  expect(said).toContain('3 passed')
  expect(said).toContain('● hangs in its hook')
  expect(said).toContain('Exceeded timeout of 600 ms for a hook')
})
