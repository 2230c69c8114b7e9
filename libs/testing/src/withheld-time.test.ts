import { existsSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { withheldMs } from './withheld-time.ts'

test('tells what this process waited for a processor, where the machine counts it', async () => {
  const before = await withheldMs(process.pid)
  expect(before > 0).toBe(existsSync('/proc/self/schedstat'))
  expect(await withheldMs(process.pid)).toBeGreaterThanOrEqual(before)
})

test('nothing is left out of a process that is gone', async () => {
  expect(await withheldMs(0)).toBe(0)
})
