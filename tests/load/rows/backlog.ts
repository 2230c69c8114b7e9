/**
 * Row 12: a backlog for an endpoint that is down, and what happens when the endpoint comes back.
 */
import { eventually } from '@posthorn/testing/eventually'
import { type Bench, makeEndpoints, type RowMeasurement, byForm, type LoadRow } from '../bench.ts'
import { fillBacklog } from '../fill-backlog.ts'
import { watchMemory } from '../processes.ts'

const DELIVERIES = 500_000
/**
 * How long the endpoint stays down, so that the dispatchers take on what they can, and it waits.
 */
const DOWN_MS = 40_000
const DRAIN_MS = 30_000
/** The shortest reset, because a circuit also delays deliveries to an endpoint that is back. */
const CIRCUIT_RESET_MS = 1_000
const STORES = ['postgres', 'redis', 'kafka', 'other']

async function measureBacklog(bench: Bench): Promise<RowMeasurement> {
  const { generator, product } = bench
  const deliveries = byForm(bench, DELIVERIES, 2_000)
  const { address } = await generator.open('127.0.0.1:0')
  await generator.close(address)
  const settings = {
    circuitResetMs: CIRCUIT_RESET_MS,
    maxRetries: 25,
    retryBackoffMs: 1_000,
    retryBackoffMax: 1_000,
  }
  const url = `http://${address}/${bench.numbers(1)}`
  const [endpointId = ''] = await makeEndpoints(bench, [{ url, eventType: 'late.t', settings }])
  const { from } = await generator.expect(deliveries)
  const memory = watchMemory(() => product.processes())
  const startedAt = performance.now()
  await fillBacklog(product.database, { deliveries, endpointId, eventType: 'late.t', from })
  bench.say(
    `a backlog of ${deliveries} made in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  )
  await pause(byForm(bench, DOWN_MS, 3_000))
  const { at: openedAt } = await generator.open(address)
  const firstAt = await eventually(async () => (await generator.arrivals(from)).firstAt || false, {
    timeoutMs: 60_000,
  })
  await (bench.quick ? drained(bench, from, deliveries) : pause(DRAIN_MS))
  const { at, lastAt, delivered, repeated } = await generator.arrivals(from)
  const peak = memory.stop()
  const services = Object.entries(peak).filter(([name]) => !STORES.includes(name))
  // What has not arrived when the time is over keeps arriving until `at`.
  const until = delivered === deliveries ? lastAt : at
  return {
    figures: {
      'backlog.memory': Math.max(...services.map(([, value]) => value)),
      'backlog.secondsToFirst': Math.max(0, Number(firstAt) - openedAt) / 1_000,
      'backlog.perSecond': (delivered * 1_000) / (until - Number(firstAt)),
    },
    costs: Object.fromEntries(Object.entries(peak).map(([name, value]) => [`MiB: ${name}`, value])),
    failures: [
      ...(repeated > 0 ? [`backlog: ${repeated} arrived twice`] : []),
      ...(bench.quick && delivered < deliveries
        ? [`backlog: ${deliveries - delivered} of ${deliveries} lost`]
        : []),
    ],
  }
}

async function drained(bench: Bench, from: number, deliveries: number): Promise<void> {
  const whole = async (): Promise<boolean> =>
    (await bench.generator.arrivals(from)).delivered >= deliveries
  await eventually(whole, { timeoutMs: 60_000 }).catch(() => {}) // the rest counts as lost
}

async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms))
}

export const backlogRow: LoadRow = { row: 12, name: 'backlog', run: measureBacklog }
