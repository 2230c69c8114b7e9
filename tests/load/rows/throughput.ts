/** Rows 1, 3, 4, 5, 8 and 10: the highest throughput. */
import {
  type Bench,
  byTypeSender,
  directSender,
  failuresOf,
  firstSender,
  makeEndpoints,
  type RowMeasurement,
  perThousand,
  prefixed,
  byForm,
  range,
  type LoadRow,
  runSenders,
  WARM_UP,
} from '../bench.ts'
import type { FigureName } from '../figures.ts'
import type { SenderPlan } from '../generator.ts'
import { readStore, storeCosts } from '../store-costs.ts'

const SUBSCRIBERS = 100
const ENDPOINTS = 1_000
const BATCH = 100
const SLOW_ENDPOINTS = 16
const SLOW_MS = 200
/** Then the windows of all of them are open. */
const SLOW_WARM_UP = 3_000
/** `MAX_PAYLOAD_BYTES`, less what surrounds the filler. */
const LARGE_PAD = 262_144 - 60

export async function measureDirect(bench: Bench): Promise<RowMeasurement> {
  const target = bench.numbers(1)
  const warm = await runSenders(bench, [
    directSender(bench, [target], { name: 'warm-up', count: WARM_UP }),
  ])
  const before = await readStore(bench.product.database)
  const outcome = await runSenders(bench, [
    directSender(bench, [target], { name: 'direct', count: byForm(bench, 30_000, 5_000) }),
  ])
  const sent = firstSender(outcome)
  const { all, parts } = perThousand(outcome.used, sent.accepted)
  const store = storeCosts(before, await readStore(bench.product.database), sent.accepted)
  return {
    figures: { 'direct.perSecond': sent.deliveredPerS, 'direct.cpuPer1000': all },
    costs: { ...prefixed('CPU-s per 1,000: ', parts), ...store, 'accepted/s': sent.acceptedPerS },
    failures: [...failuresOf(firstSender(warm)), ...failuresOf(sent)],
  }
}

async function measure(
  bench: Bench,
  name: FigureName,
  sender: SenderPlan,
): Promise<RowMeasurement> {
  const outcome = await runSenders(bench, [sender])
  const sent = firstSender(outcome)
  const deliveries = sent.accepted * (sender.fan ?? 1)
  return {
    figures: { [name]: sent.deliveredPerS },
    costs: prefixed('CPU-s per 1,000 deliveries: ', perThousand(outcome.used, deliveries).parts),
    failures: failuresOf(sent),
  }
}

async function measureByType(bench: Bench): Promise<RowMeasurement> {
  const count = byForm(bench, ENDPOINTS, 50)
  const from = bench.numbers(count)
  await makeEndpoints(
    bench,
    range(from, count).map((number) => ({
      url: `http://${bench.door}/${number}`,
      eventType: `one.t${number}`,
    })),
  )
  const type = `one.t${from + Math.floor(count / 2)}`
  const warm = byTypeSender(bench, type, { name: 'warm-up', count: WARM_UP })
  const failures = failuresOf(firstSender(await runSenders(bench, [warm])))
  const sender = byTypeSender(bench, type, { name: 'by type', count: byForm(bench, 15_000, 3_000) })
  const measured = await measure(bench, 'byType.perSecond', sender)
  return { ...measured, failures: [...failures, ...measured.failures] }
}

async function measureFanOut(bench: Bench): Promise<RowMeasurement> {
  const fan = byForm(bench, SUBSCRIBERS, 10)
  const from = bench.numbers(fan)
  const eventType = `many.t${from}`
  await makeEndpoints(
    bench,
    range(from, fan).map((number) => ({ url: `http://${bench.door}/${number}`, eventType })),
  )
  const given = { connections: 16, fan }
  const warmUp = byForm(bench, 50, 500)
  const warm = byTypeSender(bench, eventType, { name: 'warm-up', count: warmUp, ...given })
  const failures = failuresOf(firstSender(await runSenders(bench, [warm])))
  const count = byForm(bench, 600, 300)
  const sender = byTypeSender(bench, eventType, { name: '100 subscribers', count, ...given })
  const measured = await measure(bench, 'fanOut.perSecond', sender)
  return { ...measured, failures: [...failures, ...measured.failures] }
}

async function measureBatch(bench: Bench): Promise<RowMeasurement> {
  const { url, apiKey } = bench.product
  const sender = directSender(bench, [bench.numbers(1)], {
    name: 'batch',
    urls: [`${url}/api/v1/events/batch`],
    headers: { 'X-API-Key': apiKey },
    body: '{"events":[$ITEMS]}',
    item: `{"idempotencyKey":"$K","destination":"http://${bench.door}/$E","payload":{"n":$N,"pad":"$PAD"}}`,
    batch: BATCH,
    count: byForm(bench, 30_000, 5_000),
    connections: 8,
  })
  const warm = { ...sender, name: 'warm-up', count: WARM_UP }
  const failures = failuresOf(firstSender(await runSenders(bench, [warm])))
  const measured = await measure(bench, 'batch.perSecond', sender)
  return { ...measured, failures: [...failures, ...measured.failures] }
}

function slow(figure: FigureName, events: number) {
  return async (bench: Bench): Promise<RowMeasurement> => {
    const from = bench.numbers(SLOW_ENDPOINTS)
    const targets = range(from, SLOW_ENDPOINTS)
    await bench.generator.behave(targets, { delayMs: SLOW_MS })
    const count = byForm(bench, events, Math.ceil(events / 6))
    const warmUp = byForm(bench, SLOW_WARM_UP, count)
    const warm = directSender(bench, targets, { name: 'warm-up', count: warmUp })
    const failures = failuresOf(firstSender(await runSenders(bench, [warm])))
    const measured = await measure(
      bench,
      figure,
      directSender(bench, targets, { name: 'slow', count }),
    )
    return { ...measured, failures: [...failures, ...measured.failures] }
  }
}

async function measureLarge(bench: Bench): Promise<RowMeasurement> {
  const sender = directSender(bench, [bench.numbers(1)], {
    name: '256 KiB',
    count: byForm(bench, 800, 40),
    pad: LARGE_PAD,
    connections: 16,
  })
  return await measure(bench, 'large.perSecond', sender)
}

export const directRow: LoadRow = { row: 1, name: 'direct events', run: measureDirect }
export const byTypeRow: LoadRow = { row: 3, name: 'by type, 1 subscriber', run: measureByType }
export const fanOutRow: LoadRow = { row: 4, name: 'by type, 100 subscribers', run: measureFanOut }
export const batchRow: LoadRow = { row: 5, name: 'batch route', run: measureBatch }
export const slowRow: LoadRow = {
  row: 8,
  name: 'slow endpoints',
  run: slow('slow.perSecond', 20_000),
}
export const slowOf1Row: LoadRow = {
  row: 8,
  name: 'slow endpoints, 1 small dispatcher',
  run: slow('slow.perSecondOf1', 5_000),
}
export const slowOf4Row: LoadRow = {
  row: 8,
  name: 'slow endpoints, 4 small dispatchers',
  run: slow('slow.perSecondOf4', 15_000),
}
export const largeRow: LoadRow = { row: 10, name: '256 KiB payloads', run: measureLarge }
