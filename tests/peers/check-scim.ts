/** SCIM by scim2-tester: every attribute that we advertise is created, changed and removed. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensurePythonProgram } from '@posthorn/testing/python-program'
import type { Product } from '../e2e/posthorn.ts'
import type { PeerResult } from './peer-check.ts'

const REQUIREMENTS = fileURLToPath(new URL('scim2-tester.txt', import.meta.url))
const MAX_MS = 120_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export async function checkScim({ url, call }: Product): Promise<PeerResult> {
  const program = await ensurePythonProgram({
    name: 'scim2-tester',
    command: 'scim2',
    requirements: REQUIREMENTS,
  })
  const { body } = await call('POST', '/api/v1/scim-tokens', { name: 'scim2-tester' })
  const output = await run(program, ['--url', `${url}/scim/v2`, 'test'], body.token as string)
  const lines = output.split('\n').map((line) => line.trim())
  const count = (word: string): number => lines.filter((line) => line.startsWith(word)).length
  const failed = lines.filter((line) => /^(ERROR|CRITICAL)\b/.test(line))
  const passed = count('SUCCESS') + count('COMPLIANT') + count('ACCEPTABLE')
  const figures = `${passed} passed, ${failed.length} failed, ${count('DEVIATION')} deviations, ${count('SKIPPED')} skipped`
  return { ok: passed > 0 && failed.length === 0, figures, findings: failed }
}

/** What the program printed, whatever its exit code. */
async function run(program: string, args: readonly string[], token: string): Promise<string> {
  const env = { PATH: process.env['PATH'], SCIM_CLI_HEADERS: `Authorization: Bearer ${token}` }
  const options = { env, timeout: MAX_MS, maxBuffer: MAX_OUTPUT_BYTES }
  return await new Promise((resolve) => {
    execFile(program, args, options, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`))
  })
}
