import { performance } from 'node:perf_hooks'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createMetrics } from './metrics.ts'

async function lag(metrics: ReturnType<typeof createMetrics>, figure: string): Promise<number> {
  const { body } = await metrics.render()
  const line = new RegExp(`^nodejs_eventloop_lag_${figure}_seconds\\{.*\\} (.+)$`, 'm').exec(body)
  return Number(line?.[1])
}

async function pass(ms: number): Promise<void> {
  const until = performance.now() + ms
  await eventually(() => performance.now() > until, { everyMs: ms })
}

test('does not wake a loop that has nothing to do', async () => {
  createMetrics('test', '0.1.0')
  await pass(20)
  const before = performance.nodeTiming.uvMetricsInfo.loopCount
  await pass(400)
  // A timer of 10 ms makes 40 rounds; jest itself makes some more.
  expect(performance.nodeTiming.uvMetricsInfo.loopCount - before).toBeLessThan(20)
})

test('tells the longest round since the last scrape', async () => {
  const metrics = createMetrics('test', '0.1.0')
  await pass(1)
  const until = performance.now() + 60
  while (performance.now() < until);
  await pass(1)
  const max = await lag(metrics, 'max')
  expect(max).toBeGreaterThanOrEqual(0.06)
  for (const figure of ['min', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    expect(await lag(metrics, figure)).toBeLessThanOrEqual(max)
})
