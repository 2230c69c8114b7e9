/** Screens that are kept stay what they were, and get smaller. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readPng, smallPng } from './small-png.ts'

const SCREEN = join(import.meta.dirname, '../../../docs/screens/login-light.png')
const png = readFileSync(SCREEN)

test('a screen has its size and nearly its colours, and what was made small stays as it is', () => {
  const before = readPng(png)
  const small = smallPng(png)
  const after = readPng(small)
  expect([after.width, after.height]).toEqual([before.width, before.height])
  expect(before.rgb.length).toBe(1280 * 800 * 3)
  const far = before.rgb.filter((value, at) => Math.abs(value - (after.rgb[at] ?? 0)) > 24)
  expect(far.length / before.rgb.length).toBeLessThan(0.001)
  expect(small.length).toBeLessThanOrEqual(png.length)
  const again = readPng(smallPng(small))
  expect(Buffer.compare(again.rgb, after.rgb)).toBe(0)
})

test('what is no such picture is refused', () => {
  const other = Buffer.from(png)
  other[24] = 16
  expect(() => smallPng(other)).toThrow('this is no PNG of 8 bits a channel')
})
