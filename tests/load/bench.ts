/**
 * What all rows use: a running product, the demo endpoints that receive, and functions that post to
 * the product and check what arrived.
 */
import type {
  Generator,
  GeneratorResult,
  GeneratorPlan,
  SenderResult,
  SenderPlan,
} from './generator.ts'
import type { Figures } from './evaluate-runs.ts'
import { type ByClass, difference, secondsByClass, sum } from './processes.ts'
import type { Product } from './product.ts'

export interface Bench {
  product: Product
  generator: Generator
  /** The host:port at which the endpoints listen. */
  door: string
  quick: boolean
  /** Reserves numbers of endpoints that no other row has, and answers the first. */
  numbers(count: number): number
  say(line: string): void
}

export interface RowMeasurement {
  figures: Figures
  costs: Record<string, number>
  /** What went wrong: events lost, delivered twice or refused. */
  failures: string[]
}

export interface LoadRow {
  row: number
  name: string
  run(bench: Bench): Promise<RowMeasurement>
}

/** Longer than the slowest recovery from a lost announcement, which is twice the lease of 10 s. */
const IDLE_MS = 25_000
const WAIT_MS = 180_000
/** Makes an event of about 480 bytes. */
export const PAD = 400

/**
 * After so many events code is compiled and windows have opened. The quick form has as many of
 * them, and each row that needs them has its own: after 500, or none, it told how fast V8 compiles,
 * which is not what a checkout is compared for.
 */
export const WARM_UP = 5_000

export function byForm(bench: Bench, whole: number, quick: number): number {
  return bench.quick ? quick : whole
}

type SenderInput = Partial<SenderPlan> & { name: string; count: number }

/** Sends direct events to the endpoints in turn. */
export function directSender(
  bench: Bench,
  targets: readonly number[],
  given: SenderInput,
): SenderPlan {
  const { url, apiKey } = bench.product
  return {
    urls: [`${url}/api/v1/events`],
    headers: { 'X-API-Key': apiKey, 'X-Idempotency-Key': '$K' },
    body: `{"destination":"http://${bench.door}/$E","payload":{"n":$N,"pad":"$PAD"}}`,
    pad: PAD,
    targets,
    connections: 64,
    fan: 1,
    ...given,
  }
}

/** Sends events by type; `$E` in the type is the next of `targets`. */
export function byTypeSender(bench: Bench, eventType: string, given: SenderInput): SenderPlan {
  const body = `{"eventType":"${eventType}","payload":{"n":$N,"pad":"$PAD"}}`
  return directSender(bench, [], { body, ...given })
}

/**
 * Runs the senders to their end, and answers what they measured with the processor seconds that the
 * product used meanwhile.
 */
export async function runSenders(
  bench: Bench,
  senders: readonly SenderPlan[],
  plan: Partial<GeneratorPlan> = {},
): Promise<GeneratorResult & { used: ByClass }> {
  const before = secondsByClass(bench.product.processes())
  const outcome = await bench.generator.run({ senders, waitMs: WAIT_MS, idleMs: IDLE_MS, ...plan })
  const used = difference(secondsByClass(bench.product.processes()), before)
  return { ...outcome, used }
}

export function firstSender(outcome: GeneratorResult): SenderResult {
  const [one] = outcome.senders
  if (one === undefined) throw new Error('a run without a sender')
  return one
}

/** Every event should be accepted, and whatever was accepted has to arrive exactly once. */
export function failuresOf(outcome: SenderResult): string[] {
  const { name, lost, repeated, refused } = outcome
  return [
    ...(lost > 0 ? [`${name}: ${lost} of ${outcome.accepted} lost`] : []),
    ...(repeated > 0 ? [`${name}: ${repeated} arrived twice`] : []),
    ...Object.entries(refused ?? {}).map(([why, count]) => `${name}: ${count} refused: ${why}`),
  ]
}

export function perThousand(used: ByClass, events: number): { all: number; parts: ByClass } {
  const parts = Object.fromEntries(
    Object.entries(used).map(([name, seconds]) => [name, (seconds * 1_000) / events]),
  )
  return { all: sum(parts), parts }
}

/** Values whose names begin with the prefix. */
export function prefixed(prefix: string, values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]),
  )
}

/** Works on up to `width` items at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

export interface EndpointInput {
  url: string
  eventType: string
  settings?: Record<string, unknown>
}

/** Makes endpoints over the API and answers their ids in the order given. */
export async function makeEndpoints(
  { product }: Bench,
  endpoints: readonly EndpointInput[],
): Promise<string[]> {
  const ids: string[] = []
  await inParallel([...endpoints.entries()], 8, async ([at, { url, eventType, settings }]) => {
    const body = { url, eventTypes: [eventType], ...settings }
    const made = (await product.call('POST', '/api/v1/endpoints', body)) as { id: string }
    ids[at] = made.id
  })
  return ids
}

export function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + at)
}
