/**
 * The Python that tests of this SDK run with: packages in committed versions, which pip fetches
 * once, and the SDK as its users install it, from the wheel.
 */
import { execFile, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { ensurePython, ensurePythonProgram } from '@posthorn/testing/python-program'

export const SDK = fileURLToPath(new URL('..', import.meta.url))
const REQUIREMENTS = join(SDK, 'requirements-test.txt')
const OLDEST_MINOR = 9

export const runProgram = promisify(execFile)

/**
 * The tests of a file, with Python. Where there is none they are skipped by the file's name; with
 * REQUIRE_TOOLS=1 that is a failure.
 */
export function withPython(title: string, define: () => void): void {
  if (spawnSync('python3', ['--version']).status === 0) return define()
  test(`SKIPPED: ${title}: python3 not found`, () => {
    process.stderr.write(`SKIPPED: ${title}: python3 not found\n`)
    expect(process.env['REQUIRE_TOOLS']).not.toBe('1')
  })
}

/** A Python that has what the tests need. @returns its path */
export async function testPython(): Promise<string> {
  const name = 'sdk-python'
  return await ensurePythonProgram({ name, command: 'python', requirements: REQUIREMENTS })
}

/** Builds the wheel, and unpacks it into a folder that PYTHONPATH can name. */
export async function unpackWheel(python: string, folder: string): Promise<void> {
  await runProgram(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], { cwd: SDK })
  const [wheel = ''] = globSync(join(folder, '*.whl'))
  const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-deps']
  await runProgram(python, [...pip, '--target', folder, wheel])
}

/**
 * A new environment with the SDK, which pip builds and installs, and whatever that asks for.
 * @returns its Python, and what is installed
 */
export async function installSdk(folder: string): Promise<{ python: string; packages: string[] }> {
  ensurePython()
  await runProgram('python3', ['-m', 'venv', folder])
  const python = join(folder, 'bin/python')
  // It holds for the build of the wheel too.
  const env = { ...process.env, PIP_CONSTRAINT: REQUIREMENTS, PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  await runProgram(python, ['-m', 'pip', 'install', '--quiet', SDK], { env })
  const listed = await runProgram(python, ['-m', 'pip', 'list', '--format=json'], { env })
  const packages = JSON.parse(listed.stdout) as { name: string }[]
  return { python, packages: packages.map(({ name }) => name) }
}

/** The other versions of Python that this machine has, the oldest first: on the PATH, or pyenv's. */
export function otherPythons(than: string): string[] {
  const minors = Array.from({ length: 20 }, (_, at) => OLDEST_MINOR + at)
  const pyenv = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv')
  const found = new Map<number, string>()
  for (const path of [
    ...minors.map((minor) => `python3.${minor}`),
    ...globSync(join(pyenv, 'versions/3.*/bin/python3')),
  ]) {
    const minor = minorOf(path)
    if (minor !== undefined && minor >= OLDEST_MINOR && !found.has(minor)) found.set(minor, path)
  }
  found.delete(minorOf(than) ?? 0)
  return [...found].toSorted(([one], [other]) => one - other).map(([, path]) => path)
}

function minorOf(python: string): number | undefined {
  const print = 'import sys, ssl; print(sys.version_info.minor)'
  const { status, stdout } = spawnSync(python, ['-c', print], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}
