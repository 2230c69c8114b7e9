import { execFile } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'

async function lag(metrics: ReturnType<typeof createMetrics>, figure: string): Promise<number> {
  const { body } = await metrics.render()
  const line = new RegExp(`^nodejs_eventloop_lag_${figure}_seconds\\{.*\\} (.+)$`, 'm').exec(body)
  return Number(line?.[1])
}

/** Rounds of the loop, the first of which the monitor may not see begin. */
async function turn(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await nextTurn()
}

const METRICS = new URL('metrics.ts', import.meta.url).href
/** A process of its own, because a worker's loop also turns for what other files left in it. */
const IDLE = `
  import { performance } from 'node:perf_hooks'
  import { setTimeout as pass } from 'node:timers/promises'
  import { createMetrics } from '${METRICS}'
  createMetrics('test', '0.1.0')
  await pass(20)
  const before = performance.nodeTiming.uvMetricsInfo.loopCount
  await pass(400)
  console.log(performance.nodeTiming.uvMetricsInfo.loopCount - before)`

test('does not wake a loop that has nothing to do', async () => {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', IDLE]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  // A timer of 10 ms makes 40 rounds.
  expect(stdout).toMatch(/^\d\n$/)
})

test('tells the longest round since the last scrape', async () => {
  const metrics = createMetrics('test', '0.1.0')
  await turn()
  const until = performance.now() + 60
  while (performance.now() < until);
  await turn()
  const max = await lag(metrics, 'max')
  expect(max).toBeGreaterThanOrEqual(0.06)
  for (const figure of ['min', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    expect(await lag(metrics, figure)).toBeLessThanOrEqual(max)
})
