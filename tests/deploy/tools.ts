/**
 * Tests that need programs of others. Where one is missing, the test is skipped by name; with
 * REQUIRE_TOOLS=1 that is a failure.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'
import { parseAllDocuments } from 'yaml'
import { findTool, type ToolName } from './find-tool.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A test that needs tools: `run` is called with their paths.
 * @param timeoutMs without it the time of all tests
 */
export function testWith<const Names extends readonly ToolName[]>(
  names: Names,
  title: string,
  run: (paths: Record<Names[number], string>) => void | Promise<void>,
  timeoutMs?: number,
): void {
  const body = async (): Promise<void> => {
    const paths = Object.fromEntries(names.map((name) => [name, findTool(name)]))
    const missing = names.filter((name) => paths[name] === undefined)
    if (missing.length === 0) return await run(paths as Record<Names[number], string>)
    process.stderr.write(
      `SKIPPED: ${title}: ${missing.join(', ')} not found (npm run deploy-tools)\n`,
    )
    expect({ missing, isRequired: process.env['REQUIRE_TOOLS'] === '1' }).toEqual({
      missing,
      isRequired: false,
    })
  }
  if (timeoutMs === undefined) test(title, body)
  else test(title, body, timeoutMs)
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  const options = {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: cacheHome(), ...env },
    maxBuffer: 64 * 1024 * 1024,
  }
  return await new Promise((resolve) => {
    const child = execFile(program, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
    // One that reads nothing may be gone before its input ends.
    child.stdin?.on('error', () => {}).end(input)
  })
}

/** An object of Kubernetes or Compose of any kind; what is in it, the test says. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Manifest = Record<string, any>

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
}
