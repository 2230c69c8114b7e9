/** Rows 2, 6, 7 and 9: latency, and how others affect it. */
import {
  type Bench,
  byTypeSender,
  directSender,
  failuresOf,
  firstSender,
  makeEndpoints,
  perThousand,
  prefixed,
  type RowMeasurement,
  byForm,
  range,
  type LoadRow,
  runSenders,
  WARM_UP,
} from '../bench.ts'
import { secondsUntilBack } from '../evaluate-runs.ts'

const HANG_MS = 30_000
/** By then the hanging attempts have piled up. */
const BUILD_UP_MS = 5_000
const PAUSE_MS = 2_000
const BUCKET_MS = 250

async function measureLatency(bench: Bench): Promise<RowMeasurement> {
  const target = [bench.numbers(1)]
  const at = async (rate: number, seconds: number) => {
    const count = Math.round(rate * seconds)
    const sender = directSender(bench, target, { name: `at ${rate}/s`, rate, count })
    const outcome = await runSenders(bench, [sender])
    return { ...firstSender(outcome), processor: perThousand(outcome.used, count) }
  }
  const warm = firstSender(
    await runSenders(bench, [directSender(bench, target, { name: 'warm-up', count: WARM_UP })]),
  )
  const slow = await at(200, byForm(bench, 15, 3))
  const fast = await at(1_000, byForm(bench, 10, 2))
  return {
    figures: {
      'latency.at200.p50': slow.endToEnd.p50,
      'latency.at200.p99': slow.endToEnd.p99,
      'latency.at1000.p50': fast.endToEnd.p50,
      'latency.at1000.p99': fast.endToEnd.p99,
    },
    costs: {
      'answer at 200/s, p50 ms': slow.ack.p50,
      'answer at 200/s, p99 ms': slow.ack.p99,
      'answer at 1,000/s, p99 ms': fast.ack.p99,
      'CPU-s per 1,000 at 200/s': slow.processor.all,
      'CPU-s per 1,000 at 1,000/s': fast.processor.all,
      ...prefixed('CPU-s per 1,000 at 1,000/s: ', fast.processor.parts),
    },
    failures: [warm, slow, fast].flatMap(failuresOf),
  }
}

async function measureHanging(bench: Bench): Promise<RowMeasurement> {
  const [bad, good] = [bench.numbers(1), bench.numbers(1)]
  await bench.generator.behave([bad], { hangMs: HANG_MS })
  const seconds = byForm(bench, 20, 4)
  const afterMs = byForm(bench, BUILD_UP_MS, 1_000)
  const rate = 100
  const outcome = await runSenders(bench, [
    directSender(bench, [good], { name: 'healthy', rate, count: rate * seconds, afterMs }),
    directSender(bench, [bad], { name: 'hanging', rate, count: rate * 120, beside: true }),
  ])
  const sent = firstSender(outcome)
  const { hung } = await bench.generator.behave([bad], {})
  return {
    figures: { 'hanging.p99': sent.endToEnd.p99 },
    costs: { 'healthy p50 ms': sent.endToEnd.p50, 'attempts that hung': hung },
    failures: [...failuresOf(sent), ...(hung === 0 ? ['hanging: no attempt reached it'] : [])],
  }
}

async function measureManyBad(bench: Bench): Promise<RowMeasurement> {
  const count = byForm(bench, 1_000, 100)
  const share = Math.floor(count / 20)
  const from = bench.numbers(count)
  const numbers = range(from, count)
  const hang = numbers.slice(0, share)
  const refuse = numbers.slice(share, share * 2)
  const healthy = numbers.slice(share * 2)
  await bench.generator.behave(hang, { hangMs: HANG_MS })
  const doors = new Map<number, string>()
  for (const [at, number] of hang.entries()) {
    const { address } = await bench.generator.open(`127.0.2.${at + 1}:0`)
    doors.set(number, address)
  }
  // Each bad endpoint is a host of its own. Port 9 of an unused address refuses connections.
  for (const [at, number] of refuse.entries()) doors.set(number, `127.0.3.${at + 1}:9`)
  await makeEndpoints(
    bench,
    numbers.map((number) => ({
      url: `http://${doors.get(number) ?? bench.door}/${number}`,
      eventType: `all.t${number}`,
    })),
  )
  const rate = 500
  const bad = rate / 10
  const afterMs = byForm(bench, BUILD_UP_MS, 1_000)
  const sender = (name: string, targets: readonly number[], perSecond: number, seconds: number) =>
    byTypeSender(bench, 'all.t$E', { name, targets, rate: perSecond, count: perSecond * seconds })
  const outcome = await runSenders(bench, [
    { ...sender('healthy', healthy, rate - bad, byForm(bench, 20, 4)), afterMs },
    { ...sender('bad', [...hang, ...refuse], bad, 120), beside: true },
  ])
  const sent = firstSender(outcome)
  for (const number of hang) await bench.generator.close(doors.get(number) ?? '')
  return {
    figures: { 'manyBad.p99': sent.endToEnd.p99 },
    costs: { 'healthy p50 ms': sent.endToEnd.p50, 'worst endpoint p99 ms': sent.worstEndpoint.p99 },
    failures: failuresOf(sent),
  }
}

async function measurePause(bench: Bench): Promise<RowMeasurement> {
  const target = [bench.numbers(1)]
  const rate = byForm(bench, 1_000, 200)
  const before = byForm(bench, 6, 2)
  const after = byForm(bench, 14, 5)
  const pauseMs = byForm(bench, PAUSE_MS, 1_000)
  const warm = directSender(bench, target, { name: 'warm-up', rate, count: rate * 2 })
  const failures = failuresOf(firstSender(await runSenders(bench, [warm])))
  const count = rate * (before + after) + (rate * pauseMs) / 1_000
  const going = runSenders(bench, [directSender(bench, target, { name: 'pause', rate, count })], {
    bucketMs: BUCKET_MS,
  })
  await new Promise((done) => setTimeout(done, before * 1_000))
  const paused = await bench.generator.behave(target, { pauseMs })
  const sent = firstSender(await going)
  const seconds = secondsUntilBack(sent.series ?? [], paused.at, paused.at + pauseMs)
  // When it is not back by the end of the run, it takes at least that long.
  const never = Number.isFinite(seconds) ? [] : ['pause: its latency from before never came back']
  return {
    figures: { 'pause.secondsBack': Number.isFinite(seconds) ? seconds : after },
    costs: {},
    failures: [...failures, ...failuresOf(sent), ...(bench.quick ? [] : never)],
  }
}

export const latencyRow: LoadRow = { row: 2, name: 'latency', run: measureLatency }
export const hangingRow: LoadRow = {
  row: 6,
  name: 'beside a hanging endpoint',
  run: measureHanging,
}
export const manyBadRow: LoadRow = { row: 7, name: 'many bad endpoints', run: measureManyBad }
export const pauseRow: LoadRow = { row: 9, name: 'an endpoint that pauses', run: measurePause }
