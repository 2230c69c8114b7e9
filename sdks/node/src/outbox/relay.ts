/**
 * Sends the committed events of an outbox, each at least once and under one idempotency key, so the
 * API accepts it exactly once for as long as it remembers the key. Any number of relays share an
 * outbox. The events of one ordering key are sent one after the other, each after the API answered
 * for the one before; all others in no order. An event that the API rejects is set aside with the
 * reason and stops nothing; one that it cannot take now is sent again, with back-off.
 */
import type { OutboxClient } from './post.ts'
import type { OutboxDatabase } from './rows.ts'
import { createSender, type RejectedOutboxEvent } from './send-due.ts'
import { createWake, type ListenClient, startListener } from './wake.ts'

export interface RelayOptions {
  /** A pool of pg, or anything that runs a statement; without `connect` it is only polled. */
  pool: OutboxDatabase & { connect?(): PromiseLike<ListenClient> }
  posthorn: OutboxClient
  /** Default: `posthorn_outbox`. */
  table?: string
  /** Posts at once. Default: 8. */
  concurrency?: number
  /** How often it looks for events by itself. Default: 1 s. */
  pollMs?: number
  /** Listens for commits on a connection of its own. Not through a pooler of transactions. */
  listen?: boolean
  /** After this time another relay takes the events of one that died. Default: 30 s. */
  leaseMs?: number
  /**
   * An event that was first sent longer ago is set aside as `UNCERTAIN` instead of being sent once
   * more. Default: it is sent.
   */
  uncertainAfterMs?: number
  onRejected?(event: RejectedOutboxEvent): void
  /** What is tried again by itself. Default: `console.error`. */
  onError?(error: Error): void
}

export interface OutboxRelay {
  start(): void
  /** What is being posted is ended first; the rest is left to other relays. */
  stop(): Promise<void>
  /** Sends what is due now, without `start`: for a schedule, or a function that ends. */
  flush(): Promise<void>
}

const DATABASE_PAUSE_MS = 1_000

export function createRelay(options: RelayOptions): OutboxRelay {
  const { pool, pollMs = 1_000, listen = true, onError = report } = options
  const sender = createSender(options, onError)
  const [wake, ended] = [sender.wake, createWake()]
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped) {
      const pauseMs = sender.pause.leftMs()
      if (pauseMs > 0) {
        await ended.wait(pauseMs)
        continue
      }
      const taken = await sender.sendDue().catch(async (error: unknown) => {
        onError(error as Error)
        await ended.wait(DATABASE_PAUSE_MS)
        return null
      })
      if (taken === 0) await wake.wait(pollMs)
      else await sender.whenReady()
    }
  }
  return {
    start() {
      if (isStopped) throw new TypeError('a relay that was stopped is not started again')
      if (running !== undefined) return
      const connect = pool.connect === undefined || !listen ? undefined : () => pool.connect?.()
      const listener =
        connect === undefined
          ? undefined
          : startListener(
              connect as () => PromiseLike<ListenClient>,
              sender.channel,
              wake.now,
              onError,
            )
      running = run().finally(async () => await listener?.stop())
    },
    async stop() {
      isStopped = true
      sender.stop()
      ended.now()
      wake.now()
      await running
      await sender.whenIdle()
    },
    async flush() {
      let taken: number
      do {
        taken = await sender.sendDue()
        await sender.whenIdle()
      } while (taken > 0 && !isStopped && !sender.pause.isProbing())
    },
  }
}

function report(error: Error): void {
  // oxlint-disable-next-line no-console -- an error that nobody asked to hear of must be seen
  console.error(`posthorn outbox: ${error.message}`)
}
