/**
 * What a call of a small script costs: many at a time, of one endpoint and of 150.
 *
 *     node libs/sandbox/bench/transform.ts [seconds] [concurrency]
 */
import { createSandbox } from '../src/sandbox.ts'

const seconds = Number(process.argv[2] ?? 3)
const concurrency = Number(process.argv[3] ?? 256)
const SCRIPT =
  'function transform(event) { return { payload: { ...event.payload, id: event.id } } }'
const event = {
  id: 'e',
  eventType: 'order.paid',
  payload: JSON.stringify({ n: 1, text: 'x'.repeat(900) }),
  headers: null,
  createdAt: new Date().toISOString(),
}

const sandbox = createSandbox(
  { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 },
  { onReplaced: (reason) => process.stderr.write(`replaced: ${reason}\n`) },
)

for (const endpoints of [1, 150]) {
  let calls = 0
  const until = performance.now() + seconds * 1_000
  const cpu = process.threadCpuUsage()
  const utilization = performance.eventLoopUtilization()
  const callAll = async (): Promise<void> => {
    while (performance.now() < until) {
      calls += 1
      const key = `endpoint-${calls % endpoints}`
      const ran = await sandbox.run({ tenantId: `t-${calls % 10}`, key, script: SCRIPT, event })
      if (ran.outcome !== 'ok') throw new Error(ran.detail)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, callAll))
  const { user, system } = process.threadCpuUsage(cpu)
  const { utilization: busy } = performance.eventLoopUtilization(utilization)
  process.stdout.write(
    `${endpoints} endpoints: ${Math.round(calls / seconds)} calls/s, main thread ${((user + system) / calls).toFixed(1)} us each, ` +
      `${Math.round(busy * 100)} % busy, ${Math.round(process.memoryUsage().rss / 1e6)} MB resident\n`,
  )
}
await sandbox.close()
