/** One endpoint hangs at 100 events a second; another, at 100 a second too, must not notice. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './shared/join.ts'

const RATE = 100
const SECONDS = 6
/** Before the measuring: long enough for windows, memory and parking to be in use. */
const BUILD_UP_SECONDS = 3
const HANG_MS = 30_000
/** Of a machine of its own it is some milliseconds (`tests/load/RESULTS.md`); the tests' machine runs everything at once. */
const P99_MS = 250

describe.each(MODES)('a bad neighbour (%s)', (mode) => {
  let posthorn: SharedProduct
  let healthy: Receiver
  let hanging: Receiver

  beforeAll(async () => {
    healthy = await startReceiver()
    hanging = await startReceiver()
    hanging.answer({ status: 200, delayMs: HANG_MS })
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => {
    await hanging.close()
    await posthorn.leave()
    await healthy.close()
  }, 60_000)

  test('slows nobody else', async () => {
    const sentAt = new Map<string, number>()
    const posts: Promise<void>[] = []
    const total = RATE * (SECONDS + BUILD_UP_SECONDS)
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      let n = 0
      const timer = setInterval(() => {
        const wanted = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * RATE))
        for (; n < wanted; n += 1) posts.push(postBoth(n))
        if (n < total) return
        clearInterval(timer)
        resolve()
      }, 5)
    })
    await Promise.all(posts)

    async function postBoth(n: number): Promise<void> {
      const measured = n >= RATE * BUILD_UP_SECONDS
      void posthorn.send({ destination: `${hanging.url}/hang`, payload: { n } }).catch(() => {})
      const at = Date.now()
      const { id } = await posthorn.send({ destination: `${healthy.url}/ok`, payload: { n } })
      if (measured) sentAt.set(id, at)
    }

    await healthy.waitFor(total, { timeoutMs: 30_000 })
    const latencies = healthy.requests
      .flatMap((request) => {
        const at = sentAt.get(String(request.headers['x-service-event-id']))
        return at === undefined ? [] : [request.at - at]
      })
      .sort((a, b) => a - b)
    expect(latencies).toHaveLength(RATE * SECONDS)
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY
    process.stderr.write(
      `${mode}: beside a hanging endpoint p50 ${latencies[latencies.length >> 1]} ms, p99 ${p99} ms\n`,
    )
    expect(p99).toBeLessThan(P99_MS)
  }, 120_000)
})
