import { expect, test } from '@jest/globals'
import type { Log } from './log.ts'
import { createProcess } from './run.ts'

const log: Log = { info() {}, warn() {}, error() {}, debug() {}, flush() {} } as unknown as Log

function processOf(lingerMs: number) {
  const steps: string[] = []
  const part = (name: string) => ({
    name,
    start: async () => void steps.push(`start ${name}`),
    stop: async (timeoutMs: number) =>
      void steps.push(`stop ${name} in ${timeoutMs}, ready ${running.isReady()}`),
  })
  const running = createProcess([part('stores'), part('service')], log, { lingerMs })
  return { running, steps }
}

test('whoever is replaced says at once that it is not ready, works on, and stops in the reverse order', async () => {
  const { running, steps } = processOf(50)
  await running.start()
  expect(running.isReady()).toBe(true)
  const startedAt = performance.now()
  const stopped = running.stop('SIGTERM')
  expect(running.isReady()).toBe(false)
  // Its parts go on meanwhile.
  expect(steps).toEqual(['start stores', 'start service'])
  await stopped
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49)
  // The longest attempt takes 60 s.
  expect(steps.slice(2)).toEqual([
    'stop service in 65000, ready false',
    'stop stores in 65000, ready false',
  ])
})

test('a Ctrl-C does not linger, and gives less time', async () => {
  const { running, steps } = processOf(3_600_000)
  await running.start()
  await running.stop('SIGINT')
  expect(steps.slice(2)).toEqual([
    'stop service in 25000, ready false',
    'stop stores in 25000, ready false',
  ])
})
