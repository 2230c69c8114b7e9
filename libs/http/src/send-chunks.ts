/**
 * Sends answers piece by piece that are too large for memory: as fast as the client takes them, and
 * no longer than is reasonable.
 */
import type { ServerResponse } from 'node:http'
import { JSON_TYPE } from './answer.ts'

/**
 * For how long a client may take an answer that is sent piece by piece: such an answer holds
 * memory, cursors and often a turn that others wait for.
 */
export interface ChunkLimits {
  /** A client that takes nothing for so long is given up. */
  patienceMs: number
  /** In each such time of waiting for the client, at least so many bytes must go. */
  progressMs: number
  minProgressBytes: number
  /** From the first piece to the last, however fast the client is. */
  totalMs: number
  /** Monotonic ms. */
  nowMs: () => number
}

const CHUNK_LIMITS: ChunkLimits = {
  patienceMs: 60_000,
  progressMs: 60_000,
  // 34 kbit/s: slower than any line on which somebody would wait for gigabytes.
  minProgressBytes: 256 * 1024,
  // At the rate at which a page is read and sent, some 20 GiB.
  totalMs: 4 * 3_600_000,
  nowMs: () => performance.now(),
}

/**
 * Sends an answer piece by piece, in bounded memory and time. The first piece is made before the
 * head is sent: what fails until then is thrown, and answered as an error. What fails later, or
 * takes too long, breaks the connection off, so that nobody takes the part for the whole.
 */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  chunks: AsyncIterable<string>,
  more: Record<string, string>,
  limits = CHUNK_LIMITS,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  const reader = watchReader(response, limits)
  try {
    response.writeHead(status, { ...more, 'Content-Type': JSON_TYPE })
    while (next.done !== true && !response.destroyed) {
      if (!response.write(next.value)) await reader.hasTaken(Buffer.byteLength(next.value))
      reader.requireTime()
      next = await iterator.next()
    }
    response.end()
    // What is left in the socket is the client's to take as well.
    await reader.hasEnded()
  } catch (error) {
    response.destroy(Error.isError(error) ? error : undefined)
    throw error
  } finally {
    await iterator.return?.()
  }
}

interface Reader {
  /** Resolves when the client has taken what was written, or is gone. */
  hasTaken(bytes: number): Promise<void>
  /** Cuts off an answer that takes too long in all. */
  requireTime(): void
  /** Resolves when all is sent, or the client is gone. */
  hasEnded(): Promise<void>
}

function watchReader(
  response: ServerResponse,
  { patienceMs, progressMs, minProgressBytes, totalMs, nowMs }: ChunkLimits,
): Reader {
  const until = nowMs() + totalMs
  let waitedMs = 0
  let taken = 0

  async function once(event: 'drain' | 'finish'): Promise<void> {
    if (response.destroyed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const leftMs = Math.max(0, Math.min(patienceMs, until - nowMs()))
    const timer = setTimeout(() => response.destroy(), leftMs)
    response.once(event, resolve).once('close', resolve)
    await promise
    clearTimeout(timer)
    response.off(event, resolve).off('close', resolve)
  }

  return {
    async hasTaken(bytes) {
      const startedAt = nowMs()
      await once('drain')
      waitedMs += nowMs() - startedAt
      taken += bytes
      if (waitedMs < progressMs) return
      // Only the time that was the client's counts, not that in which pieces are made.
      if (taken < minProgressBytes) response.destroy()
      waitedMs = 0
      taken = 0
    },
    requireTime() {
      if (nowMs() >= until) response.destroy()
    },
    async hasEnded() {
      if (!response.writableFinished) await once('finish')
    },
  }
}
