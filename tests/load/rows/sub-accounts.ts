/**
 * Row 17: 10,000 sub-accounts with two endpoints each, to which events are sent in turn, beside one
 * tenant that gets as many; then the same while another sub-account posts to a hundred endpoints,
 * half of which hang. The first event of a sub-account has its configuration read in three places,
 * and is a cost of its own.
 */
import {
  type Bench,
  byForm,
  byTypeSender,
  failuresOf,
  firstSender,
  inParallel,
  type LoadRow,
  makeEndpoints,
  range,
  type RowMeasurement,
  runSenders,
} from '../bench.ts'
import type { SenderPlan } from '../generator.ts'
import { watchMemory } from '../processes.ts'

const SUB_ACCOUNTS = 10_000
const ENDPOINTS_EACH = 2
const EVENTS_PER_S = 500
const SECONDS = 30
const EVENT_TYPE = 'tenants.t'
const FLOOD_ENDPOINTS = 100
/** A hundred times what each of the others posts: 500 deliveries a second, half of which hang. */
const FLOOD_PER_S = (100 * EVENTS_PER_S) / SUB_ACCOUNTS
/** Longer than the default timeout, so that no attempt is ever answered. */
const HANG_MS = 60_000
const HEADER = 'X-Sub-Account-ID'
/** What keeps something of each tenant in memory. */
const WATCHED = ['dispatcher', 'fanout', 'standalone']

/** @param numbers of the endpoints, `ENDPOINTS_EACH` for each sub-account */
async function addSubAccounts(bench: Bench, names: readonly number[], numbers: readonly number[]) {
  const { product } = bench
  await inParallel([...names.entries()], 16, async ([at, name]) => {
    await product.call('POST', '/api/v1/sub-accounts', { externalId: `load-${name}` })
    const own = numbers.slice(at * ENDPOINTS_EACH, (at + 1) * ENDPOINTS_EACH)
    for (const number of own) {
      const body = { url: `http://${bench.door}/${number}`, eventTypes: [EVENT_TYPE] }
      await product.call('POST', '/api/v1/endpoints', body, { [HEADER]: `load-${name}` })
    }
  })
}

/** Adds the sub-account that floods, with the numbers of its endpoints that hang. */
async function addFlooder(bench: Bench): Promise<{ flooder: string; hanging: number[] }> {
  const { generator, product } = bench
  const first = bench.numbers(FLOOD_ENDPOINTS)
  const flooder = `flooder-${first}`
  await product.call('POST', '/api/v1/sub-accounts', { externalId: flooder })
  const numbers = range(first, FLOOD_ENDPOINTS)
  const hanging = numbers.slice(FLOOD_ENDPOINTS / 2)
  await generator.behave(hanging, { hangMs: HANG_MS })
  const { address } = await generator.open('127.0.5.1:0')
  await inParallel(numbers, 8, async (number) => {
    const door = hanging.includes(number) ? address : bench.door
    const body = { url: `http://${door}/${number}`, eventTypes: ['flood.t'] }
    await product.call('POST', '/api/v1/endpoints', body, { [HEADER]: flooder })
  })
  return { flooder, hanging }
}

async function measureSubAccounts(bench: Bench): Promise<RowMeasurement> {
  const { product } = bench
  const count = byForm(bench, SUB_ACCOUNTS, 20)
  const seconds = byForm(bench, SECONDS, 3)
  const names = range(bench.numbers(count), count)
  const first = bench.numbers(count * ENDPOINTS_EACH)
  const alone = range(bench.numbers(ENDPOINTS_EACH), ENDPOINTS_EACH)
  const aloneType = `${EVENT_TYPE}.alone${first}`
  await makeEndpoints(
    bench,
    alone.map((number) => ({ url: `http://${bench.door}/${number}`, eventType: aloneType })),
  )
  await addSubAccounts(bench, names, range(first, count * ENDPOINTS_EACH))
  const { flooder, hanging } = await addFlooder(bench)
  const load = { rate: EVENTS_PER_S, count: EVENTS_PER_S * seconds, fan: ENDPOINTS_EACH }
  const auth = { 'X-API-Key': product.apiKey, 'X-Idempotency-Key': '$K' }
  const many = (name: string) =>
    byTypeSender(bench, EVENT_TYPE, {
      name,
      ...load,
      headers: { ...auth, [HEADER]: 'load-$E' },
      targets: names,
    })

  const run = async (sender: SenderPlan) => {
    const memory = watchMemory(() => product.processes())
    const result = firstSender(await runSenders(bench, [sender]))
    return { result, peak: memory.stop() }
  }
  const { result: one, peak: before } = await run(
    byTypeSender(bench, aloneType, { name: 'one tenant', ...load }),
  )
  const { result: cold } = await run(many('sub-accounts, first events'))
  const { result: ofMany, peak: after } = await run(many('sub-accounts'))
  const flooded = await runSenders(bench, [
    many('sub-accounts beside a flood'),
    byTypeSender(bench, 'flood.t', {
      name: 'flood',
      rate: FLOOD_PER_S,
      count: FLOOD_PER_S * seconds,
      fan: FLOOD_ENDPOINTS / 2,
      headers: { ...auth, [HEADER]: flooder },
    }),
  ])
  const { hung } = await bench.generator.behave(hanging, {})
  const [beside = ofMany, flood = ofMany] = flooded.senders
  const grown = WATCHED.map((name) => (after[name] ?? 0) - (before[name] ?? 0))
  return {
    figures: {
      'tenants.p99': ofMany.endToEnd.p99 / one.endToEnd.p99,
      'tenants.memory': Math.max(0, ...grown),
      'tenants.flooded': beside.endToEnd.p99 / ofMany.endToEnd.p99,
    },
    costs: {
      'one tenant, p50 ms': one.endToEnd.p50,
      'one tenant, p99 ms': one.endToEnd.p99,
      'sub-accounts, first events, p50 ms': cold.endToEnd.p50,
      'sub-accounts, first events, p99 ms': cold.endToEnd.p99,
      'sub-accounts, p50 ms': ofMany.endToEnd.p50,
      'sub-accounts, p99 ms': ofMany.endToEnd.p99,
      'beside a flood, p50 ms': beside.endToEnd.p50,
      'beside a flood, p99 ms': beside.endToEnd.p99,
      'attempts that hung': hung,
    },
    failures: [
      ...[one, cold, ofMany, beside, flood].flatMap(failuresOf),
      ...(hung === 0 ? ['flood: no attempt reached a hanging endpoint'] : []),
    ],
  }
}

export const subAccountsRow: LoadRow = {
  row: 17,
  name: 'events of sub-accounts',
  run: measureSubAccounts,
}
