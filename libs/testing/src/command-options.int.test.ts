import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { wholeNumber } from './command-options.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function runCommand(folder: string, ...args: string[]) {
  const flags = ['--disable-warning=ExperimentalWarning', `tests/${folder}/main.ts`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test.each(['adversary', 'chaos', 'load', 'peers', 'simulation'])(
  'the command of tests/%s tells its usage, and names the option that it does not know',
  (folder) => {
    const told = runCommand(folder, '--help')
    expect(told).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^usage: npm run \w+ -- \[--/),
      stderr: '',
    })
    expect(runCommand(folder, '--fast')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown option '--fast'/),
    })
  },
  60_000,
)

test('a whole number within its bounds is taken, anything else is refused by its name', () => {
  expect(wholeNumber('--runs', '3', 1, 5)).toBe(3)
  for (const text of ['', 'x', '-1', '1.5', '0', '6'])
    expect(() => wholeNumber('--runs', text, 1, 5)).toThrow(
      `--runs takes a whole number from 1 to 5, not ${text}`,
    )
  expect(() => wholeNumber('--seed', 'x')).toThrow('--seed takes a whole number from 0 on, not x')
})
