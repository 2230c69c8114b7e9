/**
 * Payloads that were too large to travel or go to many: read in batches and kept, since the
 * deliveries of one event come close together. A payload can be edited, so one that was read before
 * a delivery was announced is not for that delivery.
 */
import type { Statements } from '../statements.ts'

export interface PayloadsDeps {
  statements: Pick<Statements, 'loadPayloads'>
  /** Postgres's time in ms. */
  databaseNow(): number
}

export interface Payloads {
  /**
   * null: there is no such event.
   * @param since read no earlier than this, in Postgres's ms
   */
  load(tenantId: string, eventId: string, since: number): Promise<string | null>
}

/** In characters: 64 events of the largest size, 256 KiB. */
const MAX_KEPT = 16 * 1024 * 1024
/** What an entry takes beside its payload: it bounds small payloads too, 60,000 of 20 bytes. */
const ENTRY_BYTES = 256
/** At 256 KiB each, 8 MiB in one result. */
const MAX_BATCH = 32

interface KeptPayload {
  payload: string
  readAt: number
}

interface Loading {
  promise: Promise<string | null>
  askedAt: number
}

interface WaitingLoad {
  tenantId: string
  eventId: string
  resolve(payload: string | null): void
  reject(error: unknown): void
}

export function createPayloads(deps: PayloadsDeps): Payloads {
  /** The one read longest ago first. */
  const kept = new Map<string, KeptPayload>()
  const loading = new Map<string, Loading>()
  let keptSize = 0
  let waiting: WaitingLoad[] = []

  function keep(eventId: string, payload: string, readAt: number): void {
    forget(eventId)
    kept.set(eventId, { payload, readAt })
    keptSize += ENTRY_BYTES + payload.length
    for (const oldest of kept.keys()) {
      if (keptSize <= MAX_KEPT) break
      forget(oldest)
    }
  }

  function forget(eventId: string): void {
    const known = kept.get(eventId)
    if (known === undefined) return
    keptSize -= ENTRY_BYTES + known.payload.length
    kept.delete(eventId)
  }

  function readWaiting(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += MAX_BATCH) void read(all.slice(at, at + MAX_BATCH))
  }

  async function read(batch: WaitingLoad[]): Promise<void> {
    const readAt = deps.databaseNow()
    try {
      const found = await deps.statements.loadPayloads(batch)
      for (const { eventId, resolve } of batch) {
        const payload = found.get(eventId) ?? null
        if (payload !== null) keep(eventId, payload, readAt)
        resolve(payload)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function ask(tenantId: string, eventId: string): Promise<string | null> {
    const promise = new Promise<string | null>((resolve, reject) => {
      // What starts in this turn of the event loop is read together.
      if (waiting.length === 0) setImmediate(readWaiting)
      waiting.push({ tenantId, eventId, resolve, reject })
    })
    const asked = { promise, askedAt: deps.databaseNow() }
    loading.set(eventId, asked)
    const settled = (): void => {
      if (loading.get(eventId) === asked) loading.delete(eventId)
    }
    promise.then(settled, settled)
    return promise
  }

  return {
    load(tenantId, eventId, since) {
      const known = kept.get(eventId)
      if (known !== undefined && known.readAt >= since) return Promise.resolve(known.payload)
      const running = loading.get(eventId)
      if (running !== undefined && running.askedAt >= since) return running.promise
      return ask(tenantId, eventId)
    },
  }
}
