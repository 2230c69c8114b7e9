import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-leaks-'))
})
afterAll(async () => await rm(dir, { recursive: true, force: true }))

/** Runs Jest in a process of its own, for the failure of a file is the failure of no test in it. */
async function runJest(name: string, body: string): Promise<{ code: number | null; said: string }> {
  await writeFile(join(dir, `${name}.test.mjs`), body)
  const config = {
    rootDir: dir,
    testMatch: [`**/${name}.test.mjs`],
    testEnvironment: here('jest-environment.mjs'),
    transform: {},
    watchman: false,
  }
  const flags = ['--config', JSON.stringify(config), '--forceExit']
  const jest = here('../../../node_modules/jest/bin/jest.js')
  const done = spawnSync(process.execPath, ['--experimental-vm-modules', jest, ...flags], {
    cwd: dir,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: done.status, said: done.stderr }
}

test('a file that leaves a timer behind fails', async () => {
  const { code, said } = await runJest('timer', `test('x', () => { setInterval(() => {}, 1000) })`)
  expect(said).toMatch(/This file leaves open: a timer of 1000 ms \(at .*timer\.test\.mjs:1:/)
  expect(code).toBe(1)
})

test('a file that leaves a listening socket behind fails', async () => {
  const body = `
    import { createServer } from 'node:net'
    test('x', (done) => { createServer().listen(0, '127.0.0.1', done) })`
  const { code, said } = await runJest('socket', body)
  expect(said).toMatch(/This file leaves open: a server on port \d+/)
  expect(code).toBe(1)
})

test('a file that closes what it opened in a last hook passes', async () => {
  const body = `
    const timer = setInterval(() => {}, 1000)
    afterAll(() => clearInterval(timer))
    test('x', () => { process.stdout.write('said'); process.stderr.write('said') })`
  const { code, said } = await runJest('clean', body)
  expect(said).toContain('1 passed')
  expect(code).toBe(0)
})
