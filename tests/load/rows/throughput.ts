/** Rows 1, 3, 4, 5, 8, 10: as much as goes. */
import {
  type Bench,
  byType,
  direct,
  faultsOf,
  first,
  makeEndpoints,
  type Measured,
  perThousand,
  quickly,
  range,
  type Row,
  run,
} from '../bench.ts'
import type { FigureName } from '../figures.ts'
import type { SenderPlan } from '../generator.ts'
import { readStore, storeCosts } from '../store-costs.ts'

/** Code is compiled and windows have opened after so many. */
const WARM_UP = 5_000
const SUBSCRIBERS = 100
const ENDPOINTS = 1_000
const BATCH = 100
const SLOW_RECEIVERS = 16
const SLOW_MS = 200
/** `MAX_PAYLOAD_BYTES`, less what stands around the filler. */
const LARGE_PAD = 262_144 - 60

export async function measureDirect(bench: Bench): Promise<Measured> {
  const target = bench.numbers(1)
  const warm = await run(bench, [
    direct(bench, [target], { name: 'warm-up', count: quickly(bench, WARM_UP, 500) }),
  ])
  const before = await readStore(bench.product.database)
  const outcome = await run(bench, [
    direct(bench, [target], { name: 'direct', count: quickly(bench, 30_000, 2_000) }),
  ])
  const sent = first(outcome)
  const { all, parts } = perThousand(outcome.used, sent.accepted)
  const store = storeCosts(before, await readStore(bench.product.database), sent.accepted)
  return {
    figures: { 'direct.perSecond': sent.deliveredPerS, 'direct.cpuPer1000': all },
    costs: { ...prefixed('CPU-s per 1,000: ', parts), ...store, 'accepted/s': sent.acceptedPerS },
    faults: [...faultsOf(first(warm)), ...faultsOf(sent)],
  }
}

function prefixed(prefix: string, values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]),
  )
}

async function measure(bench: Bench, name: FigureName, sender: SenderPlan): Promise<Measured> {
  const outcome = await run(bench, [sender])
  const sent = first(outcome)
  const deliveries = sent.accepted * (sender.fan ?? 1)
  return {
    figures: { [name]: sent.deliveredPerS },
    costs: prefixed('CPU-s per 1,000 deliveries: ', perThousand(outcome.used, deliveries).parts),
    faults: faultsOf(sent),
  }
}

async function measureByType(bench: Bench): Promise<Measured> {
  const count = quickly(bench, ENDPOINTS, 50)
  const from = bench.numbers(count)
  await makeEndpoints(
    bench,
    range(from, count).map((number) => ({
      url: `http://${bench.door}/${number}`,
      eventType: `one.t${number}`,
    })),
  )
  const type = `one.t${from + Math.floor(count / 2)}`
  const warm = byType(bench, type, { name: 'warm-up', count: quickly(bench, 3_000, 300) })
  const faults = faultsOf(first(await run(bench, [warm])))
  const sender = byType(bench, type, { name: 'by type', count: quickly(bench, 15_000, 1_000) })
  const measured = await measure(bench, 'byType.perSecond', sender)
  return { ...measured, faults: [...faults, ...measured.faults] }
}

async function measureFanOut(bench: Bench): Promise<Measured> {
  const fan = quickly(bench, SUBSCRIBERS, 10)
  const from = bench.numbers(fan)
  await makeEndpoints(
    bench,
    range(from, fan).map((number) => ({
      url: `http://${bench.door}/${number}`,
      eventType: 'many.t',
    })),
  )
  const given = { connections: 16, fan }
  const warm = byType(bench, 'many.t', { name: 'warm-up', count: 50, ...given })
  const faults = faultsOf(first(await run(bench, [warm])))
  const count = quickly(bench, 600, 100)
  const sender = byType(bench, 'many.t', { name: '100 subscribers', count, ...given })
  const measured = await measure(bench, 'fanOut.perSecond', sender)
  return { ...measured, faults: [...faults, ...measured.faults] }
}

async function measureBatch(bench: Bench): Promise<Measured> {
  const { url, apiKey } = bench.product
  const sender = direct(bench, [bench.numbers(1)], {
    name: 'batch',
    urls: [`${url}/api/v1/events/batch`],
    headers: { 'X-API-Key': apiKey },
    body: '{"events":[$ITEMS]}',
    item: `{"idempotencyKey":"$K","destination":"http://${bench.door}/$E","payload":{"n":$N,"pad":"$PAD"}}`,
    batch: BATCH,
    count: quickly(bench, 30_000, 2_000),
    connections: 8,
  })
  const warm = { ...sender, name: 'warm-up', count: quickly(bench, WARM_UP, 500) }
  const faults = faultsOf(first(await run(bench, [warm])))
  const measured = await measure(bench, 'batch.perSecond', sender)
  return { ...measured, faults: [...faults, ...measured.faults] }
}

function slow(figure: FigureName, events: number) {
  return async (bench: Bench): Promise<Measured> => {
    const from = bench.numbers(SLOW_RECEIVERS)
    const targets = range(from, SLOW_RECEIVERS)
    await bench.generator.behave(targets, { delayMs: SLOW_MS })
    const warm = direct(bench, targets, { name: 'warm-up', count: quickly(bench, 3_000, 300) })
    const faults = faultsOf(first(await run(bench, [warm])))
    const count = quickly(bench, events, 1_000)
    const measured = await measure(bench, figure, direct(bench, targets, { name: 'slow', count }))
    return { ...measured, faults: [...faults, ...measured.faults] }
  }
}

async function measureLarge(bench: Bench): Promise<Measured> {
  const sender = direct(bench, [bench.numbers(1)], {
    name: '256 KiB',
    count: quickly(bench, 800, 40),
    pad: LARGE_PAD,
    connections: 16,
  })
  return await measure(bench, 'large.perSecond', sender)
}

export const directRow: Row = { row: 1, name: 'direct events', run: measureDirect }
export const byTypeRow: Row = { row: 3, name: 'by type, 1 subscriber', run: measureByType }
export const fanOutRow: Row = { row: 4, name: 'by type, 100 subscribers', run: measureFanOut }
export const batchRow: Row = { row: 5, name: 'batch route', run: measureBatch }
export const slowRow: Row = { row: 8, name: 'slow receivers', run: slow('slow.perSecond', 20_000) }
export const slowOf1Row: Row = {
  row: 8,
  name: 'slow receivers, 1 small dispatcher',
  run: slow('slow.perSecondOf1', 5_000),
}
export const slowOf4Row: Row = {
  row: 8,
  name: 'slow receivers, 4 small dispatchers',
  run: slow('slow.perSecondOf4', 15_000),
}
export const largeRow: Row = { row: 10, name: '256 KiB payloads', run: measureLarge }
