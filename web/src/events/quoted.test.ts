/** A real shell takes a quoted text as it is. */
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { quoted } from './quoted.ts'

test.each([
  '{"a":"it\'s"}',
  'two\nlines',
  '$(id) `id` "$HOME" \\ \\n !',
  "'''",
  '',
  '‮right to left ü 🎉',
])('%j', (text) => {
  const { stdout } = spawnSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })
  expect(stdout).toBe(text)
})
