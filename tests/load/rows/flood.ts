/**
 * Row 15: one customer's flood. Half of a type's endpoints hang while many events of the type are
 * posted; meanwhile another sender posts to a URL that answers at once. The hanging endpoints are
 * at the origin of all others, as at a host that many customers share, or at one of their own.
 */
import {
  type Bench,
  byTypeSender,
  directSender,
  failuresOf,
  firstSender,
  makeEndpoints,
  type RowMeasurement,
  byForm,
  range,
  type LoadRow,
  runSenders,
} from '../bench.ts'
import type { FigureName } from '../figures.ts'
import { watchMemory } from '../processes.ts'

const ENDPOINTS = 100
const EVENTS = 2_000
const POSTED_IN_S = 3
const OTHER_PER_S = 50
const OTHER_S = 30
/** Longer than the default timeout, so that no attempt is ever answered. */
const HANG_MS = 60_000
const STORES = ['postgres', 'redis', 'kafka', 'other']

interface Variant {
  p99: FigureName
  perSecond: FigureName
  /** The address of the hanging endpoints; undefined: that of all others. */
  address: string | undefined
}

/**
 * In the first second of a process its code is still being compiled, and everything takes three
 * times as long. The other rows are measured after the first one has posted its thousands.
 */
async function warmUp(bench: Bench, eventType: string, endpoints: number): Promise<void> {
  const numbers = range(bench.numbers(endpoints), endpoints)
  const urls = numbers.map((number) => `http://${bench.door}/${number}`)
  await makeEndpoints(
    bench,
    urls.map((url) => ({ url, eventType })),
  )
  const direct = byForm(bench, 5_000, 50)
  await runSenders(bench, [directSender(bench, numbers, { name: 'before', count: direct })])
  const events = byForm(bench, 200, 2)
  const byType = { name: 'before, by type', count: events, fan: endpoints }
  await runSenders(bench, [byTypeSender(bench, eventType, byType)])
}

async function measureFlood(bench: Bench, variant: Variant): Promise<RowMeasurement> {
  const { p99, perSecond } = variant
  const { generator, product } = bench
  const half = byForm(bench, ENDPOINTS, 20) / 2
  const hanging = range(bench.numbers(half), half)
  const healthy = range(bench.numbers(half), half)
  const other = bench.numbers(1)
  const eventType = `flood.t${other}`
  await generator.behave(hanging, { hangMs: HANG_MS })
  const door =
    variant.address === undefined ? bench.door : (await generator.open(variant.address)).address
  await makeEndpoints(bench, [
    ...hanging.map((number) => ({ url: `http://${door}/${number}`, eventType })),
    ...healthy.map((number) => ({ url: `http://${bench.door}/${number}`, eventType })),
  ])
  await warmUp(bench, `${eventType}.before`, half)
  const events = byForm(bench, EVENTS, 200)
  const seconds = byForm(bench, OTHER_S, 6)
  const rate = events / byForm(bench, POSTED_IN_S, 1)
  const memory = watchMemory(() => product.processes())
  const outcome = await runSenders(bench, [
    directSender(bench, [other], {
      name: 'other',
      rate: OTHER_PER_S,
      count: OTHER_PER_S * seconds,
    }),
    byTypeSender(bench, eventType, { name: 'flood', rate, count: events, fan: half }),
  ])
  const peak = Object.entries(memory.stop()).filter(([name]) => !STORES.includes(name))
  const sent = firstSender(outcome)
  const flood = firstSender({ ...outcome, senders: outcome.senders.slice(1) })
  const { hung } = await generator.behave(hanging, { hangMs: HANG_MS })
  return {
    figures: { [p99]: sent.endToEnd.p99, [perSecond]: flood.deliveredPerS },
    costs: {
      'other p50 ms': sent.endToEnd.p50,
      'other answered, p99 ms': sent.ack.p99,
      'other worst ms': sent.endToEnd.max,
      'flood, healthy p50 ms': flood.endToEnd.p50,
      'flood accepted/s': flood.acceptedPerS,
      'attempts that hung': hung,
      'MiB: the largest Node process': Math.max(...peak.map(([, value]) => value)),
    },
    failures: [
      ...failuresOf(sent),
      ...failuresOf(flood),
      ...(hung === 0 ? ['flood: no attempt reached a hanging endpoint'] : []),
    ],
  }
}

export const floodElsewhereRow: LoadRow = {
  row: 15,
  name: 'a flood, half of it hangs at an origin of its own',
  run: async (bench) =>
    await measureFlood(bench, {
      p99: 'flood.elsewhere.p99',
      perSecond: 'flood.elsewhere.perSecond',
      address: '127.0.4.1:0',
    }),
}

export const floodSharedRow: LoadRow = {
  row: 15,
  name: 'a flood, half of it hangs at the origin of all',
  run: async (bench) =>
    await measureFlood(bench, {
      p99: 'flood.shared.p99',
      perSecond: 'flood.shared.perSecond',
      address: undefined,
    }),
}
