/**
 * The API against its own OpenAPI document: whatever the document allows is taken and whatever it
 * forbids refused, each answer is of a status and a shape that the document names, and none is a
 * 5xx.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { ensureSchemathesis } from '@posthorn/testing/schemathesis'
import { type Posthorn, startPosthorn } from './posthorn.ts'

/**
 * The document's own examples and each bound of its schemas; in the long form, requests of each
 * route by chance as well.
 */
const PHASES = isLongForm ? 'examples,coverage,fuzzing' : 'examples,coverage'
const BY_CHANCE = '30'
const MAX_MS = isLongForm ? 2_400_000 : 300_000
/** The same in every run, so that a finding can be seen again. */
const SEED = '20260101'
const CONFIG = fileURLToPath(new URL('api-fuzz.toml', import.meta.url))

let posthorn: Posthorn
let program: string
let folder: string

beforeAll(async () => {
  program = await ensureSchemathesis()
  folder = await mkdtemp(join(tmpdir(), 'posthorn-fuzz-'))
  posthorn = await startPosthorn('standalone')
}, 400_000)

afterAll(async () => {
  await posthorn?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}, 60_000)

test(
  'what the API does is what its document says',
  async () => {
    const { body } = await posthorn.call('GET', '/api/v1/projects')
    // The workspace's own project is named: with any other all answers are 404, which `every-route`
    // shows.
    const headers = [`X-API-Key: ${posthorn.apiKey}`, `X-Project-ID: ${body.data[0].id}`]
    const given = headers.flatMap((header) => ['--header', header])
    // All checks are made, but where the configuration says why not.
    const how = ['--seed', SEED, '--max-examples', BY_CHANCE, '--continue-on-failure']
    const where = ['run', `${posthorn.url}/openapi.json`]
    const { code, output } = await run([
      '--config-file',
      CONFIG,
      '--no-color',
      ...where,
      ...given,
      ...how,
      '--phases',
      PHASES,
    ])
    if (code !== 0) throw new Error(output.slice(output.indexOf('= ERRORS =') + 1).slice(0, 20_000))
    expect(output).toMatch(/\d+ generated/)
    expect((await posthorn.call('GET', '/health')).status).toBe(200)
  },
  MAX_MS + 15_000,
)

async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  return await new Promise((done) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: MAX_MS }
    execFile(program, args, options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, output: `${stdout}\n${stderr}` })
    })
  })
}
