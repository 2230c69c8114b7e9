/**
 * `npm start` in a clean checkout installs what running needs, and no more: it delivers a first
 * event, has its pages, and stays below the bound of size. It takes packages from the registry, or
 * from the cache of the package manager.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createClient } from './posthorn.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const MAX_MB = 300
/** Several times what it takes when packages have to be fetched. */
const START_MS = 240_000

let checkout: string
let started: ChildProcess
let printed = ''

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'posthorn-lean-'))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  for (const path of String(listed).split('\0').filter(Boolean))
    await cp(join(root, path), join(checkout, path), { recursive: true, verbatimSymlinks: true })
  const own = { PORT: '0', DATA_DIR: join(checkout, 'data'), LOG_LEVEL: 'warn' }
  started = spawn('npm', ['start'], {
    cwd: checkout,
    // All that is set here says where the registry is.
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [started.stdout, started.stderr])
    stream?.on('data', (text) => (printed += text))
}, 60_000)

afterAll(async () => {
  if (started.exitCode === null) {
    const gone = new Promise((resolve) => started.once('exit', resolve))
    started.kill('SIGTERM')
    await gone
  }
  await rm(checkout, { recursive: true, force: true })
}, 60_000)

test('a clean checkout delivers a first event, with less than 300 MB installed', async () => {
  const at = { url: '', apiKey: '' }
  const keep = async (name: string): Promise<string> =>
    (await readFile(join(checkout, 'data', name), 'utf8')).trim()
  await eventually(
    async () => {
      if (started.exitCode !== null) return
      Object.assign(at, { url: await keep('url'), apiKey: await keep('api-key') })
    },
    { timeoutMs: START_MS, everyMs: 100 },
  )
  expect([started.exitCode, started.exitCode === null ? '' : printed]).toEqual([null, ''])
  const client = createClient(() => at)
  const { id } = await client.send({ destination: `${at.url}/receiver/demo`, payload: {} })
  await eventually(async () => expect((await client.event(id)).status).toBe('delivered'))
  const page = await fetch(`${at.url}/login`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])

  const sizes = String(execFileSync('du', ['-sm', join(checkout, 'node_modules')]))
  expect(Number.parseInt(sizes, 10)).toBeLessThan(MAX_MB)
}, 300_000)
