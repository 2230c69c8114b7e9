/**
 * Reads a request's body, as text or as bytes. Written for the hot path: one listener, one copy, no
 * stream in between. What is over the limit is refused as soon as that is known, and never kept. A
 * body that comes too slowly is cut off, so that a stalled sender gives back the capacity it has.
 */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import type { BodyReservation } from './body-capacity.ts'

const EMPTY = Buffer.alloc(0)
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * 131 kbit/s: a quarter of what the largest batch needs to come within the server's time for a
 * request.
 */
const MIN_BYTES_PER_MS = (16 * 1024) / 1_000
/** How far a body may be behind that rate: a few lost packets in a row. */
const MAX_BEHIND_MS = 5_000

/** Answered like a request that never ends: with 408, and the end of its connection. */
class SlowBody extends ApiError {
  constructor() {
    super('BAD_REQUEST', 'the body comes too slowly: send at least 16 KiB a second')
  }

  override get status(): number {
    return 408
  }
}

export async function readText(
  request: IncomingMessage,
  maxBytes: number,
  reservation: BodyReservation,
): Promise<string> {
  const chunks = await readChunks(request, maxBytes, reservation)
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new ApiError('BAD_REQUEST', 'the body is not valid UTF-8', { cause })
  }
}

/** The bytes as they came, for whoever verifies a signature over them. */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  reservation: BodyReservation,
): Promise<Buffer> {
  if (!hasBody(request)) return EMPTY
  const chunks = await readChunks(request, maxBytes, reservation)
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** For routes that take no body: what comes is read and thrown away, within the same limit. */
export async function skipBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  if (hasBody(request)) await readChunks(request, maxBytes, null)
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  )
}

/** @param reservation null: nothing is kept */
async function readChunks(
  request: IncomingMessage,
  maxBytes: number,
  reservation: BodyReservation | null,
): Promise<Buffer[]> {
  const told = Number(request.headers['content-length'] ?? 0)
  if (told > maxBytes) throw tooLarge(maxBytes)
  // The length that was told is reserved from the start: whoever can't be served learns it before
  // sending.
  reservation?.reserve(told)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>()
  // What came whole with its headers can neither come too slowly nor be cut off: most events.
  const isWhole = request.complete
  const minimumRate = isWhole ? null : createMinimumRate(() => reject(new SlowBody()))
  let chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    minimumRate?.came(chunk.length)
    try {
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      if (told === 0) reservation?.reserve(chunk.length)
      if (reservation !== null) chunks.push(chunk)
    } catch (error) {
      reject(error)
    }
  }
  request.on('data', onData)
  request.on('end', () => resolve(chunks))
  // The sender is gone: the answer reaches nobody, but the handler must end.
  request.on('error', () => reject(new ApiError('BAD_REQUEST', 'the body broke off')))
  if (!isWhole) reservation?.reading(reject)
  try {
    return await promise
  } catch (error) {
    // What still comes is thrown away by the server.
    request.off('data', onData)
    chunks = []
    throw error
  } finally {
    minimumRate?.end()
    if (!isWhole) reservation?.atWork()
  }
}

/**
 * Calls `onBehind` once the bytes that came are too far behind the rate. Bytes that came early do
 * not make up for a later stall.
 */
function createMinimumRate(onBehind: () => void): { came(bytes: number): void; end(): void } {
  let endsAt = performance.now() + MAX_BEHIND_MS
  let asked: NodeJS.Immediate | undefined
  let timer = setTimeout(look, MAX_BEHIND_MS)

  function look(): void {
    // Timers run before sockets are read: after a pause of this process, what came in meanwhile
    // counts.
    asked = setImmediate(() => {
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) onBehind()
      else timer = setTimeout(look, Math.ceil(leftMs))
    })
  }

  return {
    came(bytes) {
      const now = performance.now()
      endsAt = Math.min(now + MAX_BEHIND_MS, Math.max(endsAt, now) + bytes / MIN_BYTES_PER_MS)
    },
    end() {
      clearTimeout(timer)
      clearImmediate(asked)
    },
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`)
}
