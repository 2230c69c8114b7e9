/**
 * What is reported of a busy event loop, and what a mark costs; with real spins of a real loop, in
 * a process that can be stopped.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { leastCpuMs } from '@posthorn/testing/processor-time'
import { type BusySpan, listenForBusySpans, markWork } from '@posthorn/async/current-work'
import { classifyStalls, createStallWatch, type StallSample } from './stall-watch.ts'

const SPAN: BusySpan = {
  at: 'createEvent',
  tenantId: 't',
  requestId: 'r',
  busyMs: 150,
  before: ['a'],
}
const SAMPLE: StallSample = { roundMs: 150, busyMs: 200, cpuMs: 195, busySpans: [SPAN] }

test('a round that one mark filled is its stall; short rounds are nobody’s', () => {
  const [stall, ...others] = classifyStalls(SAMPLE)
  expect(others).toEqual([])
  expect(stall).toMatchObject({ at: 'createEvent', tenantId: 't', requestId: 'r', seconds: 0.15 })
  expect(classifyStalls({ ...SAMPLE, roundMs: 99 })).toEqual([])
})

test('two that held the loop one after the other are both told', () => {
  const second = { ...SPAN, at: 'event.accepted', busyMs: 120 }
  const sample = { roundMs: 270, busyMs: 300, cpuMs: 290, busySpans: [SPAN, second] }
  expect(classifyStalls(sample).map(({ at }) => at)).toEqual(['createEvent', 'event.accepted'])
})

test('nobody is blamed for time in which the thread did not run, nor for a round of many works', () => {
  const stopped = classifyStalls({ roundMs: 2_000, busyMs: 2_010, cpuMs: 8, busySpans: [SPAN] })
  expect(stopped).toMatchObject([{ at: 'off-cpu', tenantId: '', requestId: '', cpuSeconds: 0 }])
  expect(classifyStalls({ ...SAMPLE, busySpans: [] })).toMatchObject([
    { at: 'unknown', tenantId: '' },
  ])
  const longer = { ...SPAN, busyMs: 900 }
  // 4 s by the clock on a busy machine, in 1.5 of which it ran.
  const starved = { ...SPAN, busyMs: 4_000 }
  const dear = classifyStalls({ roundMs: 4_000, busyMs: 4_100, cpuMs: 1_600, busySpans: [starved] })
  expect(dear).toMatchObject([{ at: 'createEvent', tenantId: 't' }])
  const many = classifyStalls({ roundMs: 150, busyMs: 950, cpuMs: 940, busySpans: [longer] })
  expect(many).toMatchObject([{ at: 'unknown', tenantId: '' }])
})

test('marks cost a request less than half a microsecond', () => {
  listenForBusySpans(() => undefined)
  const requests = 20_000
  const mostMs = requests / 2_000
  const ms = leastCpuMs(mostMs, () => {
    // A request marks five times.
    for (let n = 0; n < 5 * requests; n += 1) markWork('createEvent', 'tenant', 'request')
  })
  listenForBusySpans(undefined)
  expect(ms).toBeLessThan(mostMs)
})

test('a consumer that spins is told by its topic, and a process that was stopped is blamed on nobody', async () => {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('./stall-watch.fixture.ts', import.meta.url)),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  try {
    const lines: { at: string; tenantId?: string; seconds: number }[] = []
    let ready = false
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'ready') ready = true
      else lines.push(JSON.parse(line) as { at: string; seconds: number })
    })
    await eventually(() => expect(ready).toBe(true))
    child.stdin.write('spin\n')
    await eventually(() => expect(lines.map(({ at }) => at)).toContain('event.accepted'))
    const spun = lines.find(({ at }) => at === 'event.accepted')
    expect(spun?.tenantId).toBe('tenant-7')
    expect(spun?.seconds).toBeGreaterThanOrEqual(0.14)

    lines.length = 0
    // It marks work every 10 ms, so it is stopped within a marked work.
    process.kill(child.pid as number, 'SIGSTOP')
    const until = performance.now() + 600
    await eventually(() => performance.now() > until, { everyMs: 50 })
    process.kill(child.pid as number, 'SIGCONT')
    await eventually(() => expect(lines.map(({ at }) => at)).toContain('off-cpu'))
    expect(lines.map(({ at }) => at)).not.toContain('ticker test')
  } finally {
    child.kill('SIGKILL')
  }
})

test('it is silent about a loop that works in short rounds, and leaves no timer', async () => {
  const told: unknown[] = []
  const watch = createStallWatch({
    log: { warn: (_name, fields) => told.push(fields) },
    metrics: { observe: () => undefined },
  })
  await watch.start?.()
  for (let n = 0; n < 20; n += 1) {
    markWork('short')
    await new Promise((resolve) => setImmediate(resolve))
  }
  await watch.stop?.(0)
  expect(told.filter((one) => (one as { at: string }).at === 'short')).toEqual([])
})
