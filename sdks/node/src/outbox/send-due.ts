/**
 * Takes the rows that are due and has each of them sent: by batches, alone, or one after the other
 * of its ordering key; and writes down what became of it.
 */
import { createGeneralPause, eventDelayMs, type GeneralPause } from './back-off.ts'
import {
  createPost,
  isBatchable,
  type OutboxClient,
  type OutboxRejection,
  type Post,
  type PostOutcome,
  type ReadRow,
  readRow,
} from './post.ts'
import { createRows, type OutboxDatabase, type OutboxEventRow, type OutboxRows } from './rows.ts'
import { checkedTable, DEFAULT_TABLE } from './table.ts'
import { createTaskPool, type TaskPool } from './task-pool.ts'
import { createWake, type Wake } from './wake.ts'

export interface SenderOptions {
  pool: OutboxDatabase
  posthorn: OutboxClient
  table?: string
  concurrency?: number
  leaseMs?: number
  uncertainAfterMs?: number
  onRejected?(event: RejectedOutboxEvent): void
}

export interface RejectedOutboxEvent {
  /** The row's. */
  id: string
  idempotencyKey: string
  event: string
  rejection: OutboxRejection
}

/** The route for batches takes no more. */
const MAX_ROWS = 100
/** Half of what the route for batches takes, because a body holds more than events. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_POST_MS = 10_000
const MAX_OF_KEY = 100

export interface Sender {
  pause: GeneralPause
  wake: Wake
  channel: string
  /** Takes what is due and has it sent; tells how many rows these were. */
  sendDue(): Promise<number>
  /** More may be taken. */
  whenReady(): Promise<void>
  whenIdle(): Promise<void>
  stop(): void
}

interface SenderParts {
  rows: OutboxRows
  post: Post
  pause: GeneralPause
  onRejected: ((event: RejectedOutboxEvent) => void) | undefined
  onError(error: Error): void
}

export function createSender(options: SenderOptions, onError: (error: Error) => void): Sender {
  const { leaseMs, concurrency, rowsConfig } = toConfig(options)
  const rows = createRows(options.pool, rowsConfig)
  const post = createPost(options.posthorn, Math.min(MAX_POST_MS, leaseMs / 2))
  const pause = createGeneralPause(() => performance.now(), Math.random)
  const wake = createWake()
  const parts = { rows, post, pause, onRejected: options.onRejected, onError }
  const tasks = createTaskPool(concurrency)
  let isStopped = false

  /** A post that begins in the first half of its lease ends within it. */
  function add(reads: readonly ReadRow[], task: () => Promise<void>): void {
    const beginsBy = performance.now() + leaseMs / 2
    const isProbe = pause.isProbing()
    tasks.add(async () => {
      const isPaused = pause.isProbing() && !isProbe
      const isLate = isStopped || isPaused || performance.now() > beginsBy
      const work = isLate ? rows.release(reads.map(({ row }) => row.id)) : task()
      await work.catch(onError)
    })
  }
  async function sendDue(): Promise<number> {
    const limit = pause.isProbing() ? 1 : MAX_ROWS
    const taken = [...(await rows.takeUnordered(limit)), ...(await rows.takeHeads(limit))]
    for (const reads of await groupsOf(taken, parts))
      add(reads, async () => {
        if (reads.length > 1) await sendBatch(reads, parts, tasks)
        else if (await sendOneOrKey(reads[0] as ReadRow, parts, () => isStopped)) wake.now()
      })
    return taken.length
  }
  return {
    pause,
    wake,
    channel: rows.channel,
    sendDue,
    whenReady: () => (pause.isProbing() ? tasks.whenIdle() : tasks.whenHalfFree()),
    whenIdle: tasks.whenIdle,
    stop() {
      isStopped = true
    },
  }
}

function toConfig(options: SenderOptions) {
  const { concurrency = 8, leaseMs = 30_000, uncertainAfterMs = null } = options
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new TypeError('concurrency must be a whole number from 1 on')
  if (!(leaseMs >= 100)) throw new TypeError('leaseMs must be 100 or more')
  const table = checkedTable(options.table ?? DEFAULT_TABLE)
  return {
    concurrency,
    leaseMs,
    rowsConfig: { table, leaseMs, uncertainAfterMs, maxBytes: MAX_BYTES },
  }
}

/** Batches of one scope, and the other rows one by one. What cannot be read is set aside. */
async function groupsOf(
  taken: readonly OutboxEventRow[],
  parts: SenderParts,
): Promise<ReadRow[][]> {
  const batches = new Map<string, ReadRow[]>()
  const others: ReadRow[][] = []
  for (const row of taken) {
    const read = await readOrReject(row, parts)
    if (read === null) continue
    if (!isBatchable(read)) others.push([read])
    else batches.set(row.scope, [...(batches.get(row.scope) ?? []), read])
  }
  return [...batches.values(), ...others]
}

async function readOrReject(row: OutboxEventRow, parts: SenderParts): Promise<ReadRow | null> {
  const read = readRow(row)
  if ('row' in read) return read
  await setAside(row, read, parts)
  return null
}

async function sendBatch(
  all: readonly ReadRow[],
  parts: SenderParts,
  tasks: TaskPool,
): Promise<void> {
  let reads = all
  while (reads.length > 1) {
    const outcomes = await parts.post.batch(reads)
    if (outcomes === null) break
    await settle(reads, outcomes, parts)
    reads = reads.filter(({ row }) => !outcomes.has(row.id))
  }
  for (const read of reads)
    tasks.add(async () => {
      await sendOne(read, parts).catch(parts.onError)
    })
}

/** @returns whether there may be more of its key, which waits for others now */
async function sendOneOrKey(
  first: ReadRow,
  parts: SenderParts,
  isStopped: () => boolean,
): Promise<boolean> {
  const { orderingKey } = first.row
  let read: ReadRow | null = first
  for (let sent = 1; ; sent += 1) {
    const isSettled = read === null || (await sendOne(read, parts))
    if (orderingKey === null || !isSettled || isStopped()) return false
    if (sent === MAX_OF_KEY) return true
    const next = await parts.rows.takeNext(orderingKey)
    if (next === undefined) return false
    read = await readOrReject(next, parts)
  }
}

/** @returns whether it is out of the way */
async function sendOne(read: ReadRow, parts: SenderParts): Promise<boolean> {
  const outcome = await parts.post.one(read)
  await settle([read], new Map([[read.row.id, outcome]]), parts)
  return outcome.outcome !== 'later'
}

async function settle(
  reads: readonly ReadRow[],
  outcomes: ReadonlyMap<string, PostOutcome>,
  parts: SenderParts,
): Promise<void> {
  const { rows, pause, onError } = parts
  const accepted = [...outcomes].filter(([, { outcome }]) => outcome === 'accepted')
  if (accepted.length > 0) {
    pause.answered()
    await rows.accepted(accepted.map(([id]) => id))
  }
  for (const { row } of reads) {
    const outcome = outcomes.get(row.id)
    if (outcome?.outcome === 'rejected') {
      pause.answered()
      await setAside(row, outcome.rejection, parts)
    }
    if (outcome?.outcome !== 'later') continue
    const { error, isGeneral, retryAfterMs } = outcome
    if (!isGeneral || pause.failed(retryAfterMs)) onError(error)
    const delayMs = Math.max(retryAfterMs, eventDelayMs(row.attempts, Math.random))
    await rows.later([row.id], delayMs)
  }
}

async function setAside(
  row: OutboxEventRow,
  rejection: OutboxRejection,
  { rows, onRejected }: SenderParts,
): Promise<void> {
  await rows.rejected(row.id, JSON.stringify(rejection))
  const { id, idempotencyKey, event } = row
  onRejected?.({ id, idempotencyKey, event, rejection })
}
