import { expect, test } from '@jest/globals'
import { contrastOf, type ThemePalette, unreadablePairs } from './portal-theme.ts'

const LIGHT: ThemePalette = {
  '--bg-000': '#ffffff',
  '--bg-100': '#f6f7f9',
  '--bg-200': '#e6e9ee',
  '--accent-main-100': '#e8efff',
  '--accent-main-900': '#1d4fd7',
  '--chart-delivered': '#0b6b3a',
  '--chart-failed': '#9a4a00',
  '--chart-dead': '#b3123a',
  '--warning-100': '#fff4d6',
}

test('contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#123456', '#123456')).toBe(1)
})

test('a readable palette has no pair that is not', () => {
  expect(unreadablePairs(LIGHT, 'light')).toEqual([])
})

test('a pair that nobody could read is named', () => {
  const pale = { ...LIGHT, '--chart-failed': '#ffcc88' }
  expect(unreadablePairs(pale, 'light').map(({ text, background }) => [text, background])).toEqual([
    ['--chart-failed', '--bg-000'],
    ['--chart-failed', '--bg-100'],
  ])
  const dark = { ...LIGHT, '--bg-200': '#333333' }
  expect(unreadablePairs(dark, 'light').map(({ text, background }) => [text, background])).toEqual([
    ['the text', '--bg-200'],
  ])
  const brown = { ...LIGHT, '--warning-100': '#7a5a00' }
  expect(unreadablePairs(brown, 'light').map(({ text, background }) => [text, background])).toEqual(
    [['the text', '--warning-100']],
  )
  expect(unreadablePairs(LIGHT, 'dark').map(({ text }) => text)).toContain('the text')
})
