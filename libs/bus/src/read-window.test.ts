import { expect, test } from '@jest/globals'
import { createReadWindow } from './read-window.ts'

const MEBIBYTE = 1024 * 1024

test('pauses at so many messages, and goes on at half', () => {
  let resumed = 0
  const window = createReadWindow(10, () => (resumed += 1))
  window.take(10, 10)
  expect(window.capacity()).toBe(0)
  window.release(4, 4)
  expect([window.capacity(), resumed]).toEqual([0, 0])
  window.release(1, 1)
  expect([window.capacity(), resumed]).toEqual([5, 1])
})

test('pauses at 8 MiB of few large ones, and goes on at half', () => {
  let resumed = 0
  const window = createReadWindow(1_000, () => (resumed += 1))
  window.take(7, 7 * MEBIBYTE)
  expect(window.capacity()).toBe(993)
  window.take(1, MEBIBYTE)
  expect(window.capacity()).toBe(0)
  for (let done = 0; done < 3; done += 1) window.release(1, MEBIBYTE)
  expect([window.capacity(), resumed]).toEqual([0, 0])
  window.release(1, MEBIBYTE)
  expect([window.capacity(), resumed, window.inFlight()]).toEqual([996, 1, 4])
})
