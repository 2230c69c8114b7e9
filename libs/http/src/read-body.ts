/**
 * Reads a request's body, as text or as bytes. Written for the hot path: one listener, one copy, no
 * stream in between. What is over the limit is refused as soon as that is known, and never kept. A
 * body that comes too slowly is cut off, so that a stalled sender gives back the capacity it has.
 */
import type { IncomingMessage } from 'node:http'
import {
  addLast,
  createLinkedList,
  itemsOf,
  leaveList,
  type ListEntry,
} from '@posthorn/async/linked-list'
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
/** How often the bodies that are being read are looked at: 10,000 connections take 1 ms. */
const LOOK_MS = 500

/** To answer each takes 0.1 ms. */
const FAILED_IN_A_TURN = 50

const brokenOff = (): Error => new ApiError('BAD_REQUEST', 'the body broke off')
const tooSlow = (): Error => new SlowBody()

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
  const bytes = joined(await readChunks(request, maxBytes, reservation))
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
  return joined(await readChunks(request, maxBytes, reservation))
}

function joined(chunks: readonly Buffer[]): Buffer {
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

/**
 * Rejects with UNAVAILABLE or PAYLOAD_TOO_LARGE, and when the sender is too slow or gone.
 * @param reservation null: nothing is kept
 */
function readChunks(
  request: IncomingMessage,
  maxBytes: number,
  reservation: BodyReservation | null,
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const told = Number(request.headers['content-length'] ?? 0)
    if (told > maxBytes) throw tooLarge(maxBytes)
    // The length that was told is reserved from the start: whoever can't be served learns it before
    // sending.
    reservation?.reserve(told)
    const chunks: Buffer[] = []
    let bytes = 0
    const reading: BodyBeingRead = {
      endsAt: Infinity,
      hasEnded: false,
      entry: null,
      reservation,
      fail,
    }

    function onData(chunk: Buffer): void {
      bytes += chunk.length
      noteBytes(reading, chunk.length)
      try {
        if (bytes > maxBytes) throw tooLarge(maxBytes)
        if (told === 0) reservation?.reserve(chunk.length)
        if (reservation !== null) chunks.push(chunk)
      } catch (error) {
        fail(error as Error)
      }
    }

    function fail(error: Error): void {
      if (!endReading(reading)) return
      // What still comes is thrown away by the server.
      request.off('data', onData)
      chunks.length = 0
      reject(error)
    }

    request.on('data', onData)
    request.on('end', () => {
      if (endReading(reading)) resolve(chunks)
    })
    // The sender is gone: the answer reaches nobody, but the handler must end.
    request.on('error', () => failSoon(reading, brokenOff))
    beginReading(reading)
  })
}

/** A body whose end has not come. */
interface BodyBeingRead {
  /** ms of the process's clock: when it is too far behind its rate; Infinity: nobody looks yet. */
  endsAt: number
  hasEnded: boolean
  /** Its place among those that last; null: it has none. */
  entry: ListEntry<BodyBeingRead> | null
  readonly reservation: BodyReservation | null
  fail(error: Error): void
}

/**
 * Those whose reading began in this turn of the event loop. Most bodies come in one packet with
 * their headers and end within the turn: they can neither come too slowly nor be cut off.
 */
let begun: BodyBeingRead[] = []
/** Those that have lasted longer. */
const lasting = createLinkedList<BodyBeingRead>()
let looking: NodeJS.Timeout | undefined

function beginReading(body: BodyBeingRead): void {
  if (begun.push(body) === 1) setImmediate(watchBegun)
}

function watchBegun(): void {
  const bodies = begun
  begun = []
  for (const body of bodies) {
    if (body.hasEnded) continue
    body.endsAt = performance.now() + MAX_BEHIND_MS
    body.entry = addLast(lasting, body)
    body.reservation?.reading(body.fail)
  }
  if (lasting.first !== null) looking ??= setInterval(lookForSlow, LOOK_MS).unref()
}

function lookForSlow(): void {
  // Timers run before sockets are read: after a pause of this process, what came in meanwhile
  // counts.
  setImmediate(() => {
    const now = performance.now()
    for (const body of itemsOf(lasting)) if (body.endsAt <= now) failSoon(body, tooSlow)
    if (lasting.first !== null) return
    clearInterval(looking)
    looking = undefined
  })
}

/** A thousand senders may stop at once, and another thousand leave. */
const failing: { body: BodyBeingRead; errorOf: () => Error }[] = []

function failSoon(body: BodyBeingRead, errorOf: () => Error): void {
  if (failing.push({ body, errorOf }) === 1) setImmediate(failSome)
}

function failSome(): void {
  for (const { body, errorOf } of failing.splice(0, FAILED_IN_A_TURN)) body.fail(errorOf())
  if (failing.length > 0) setImmediate(failSome)
}

/** Bytes that came early do not make up for a later stall. */
function noteBytes(body: BodyBeingRead, bytes: number): void {
  if (body.endsAt === Infinity) return
  const now = performance.now()
  const earned = Math.max(body.endsAt, now) + bytes / MIN_BYTES_PER_MS
  body.endsAt = Math.min(now + MAX_BEHIND_MS, earned)
}

/** @returns false: it had ended before */
function endReading(body: BodyBeingRead): boolean {
  if (body.hasEnded) return false
  body.hasEnded = true
  if (body.entry === null) return true
  leaveList(body.entry)
  body.entry = null
  body.reservation?.atWork()
  return true
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`)
}
