/**
 * Reads a request's body, into text or as it is. Written for the hot path: one listener, one copy, no stream in
 * between. What is over the limit is refused as soon as that is known, and never kept.
 */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import type { BodyRoom } from './body-room.ts'

const EMPTY = Buffer.alloc(0)
const decoder = new TextDecoder('utf-8', { fatal: true })

export async function readText(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom,
): Promise<string> {
  const chunks = await readChunks(request, maxBytes, room)
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new ApiError('BAD_REQUEST', 'the body is not valid UTF-8', { cause })
  }
}

/** The bytes as they came, for whoever judges a signature over them. */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom,
): Promise<Buffer> {
  if (!hasBody(request)) return EMPTY
  const chunks = await readChunks(request, maxBytes, room)
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

/** For routes that take no body: what comes is read past and thrown away, within the same limit. */
export async function skipBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  if (hasBody(request)) await readChunks(request, maxBytes, null)
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  )
}

/** @param room null: nothing is kept */
async function readChunks(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom | null,
): Promise<Buffer[]> {
  const told = Number(request.headers['content-length'] ?? 0)
  if (told > maxBytes) throw tooLarge(maxBytes)
  room?.expect(told)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>()
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length
    try {
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      room?.take(chunk.length)
      if (room !== null) chunks.push(chunk)
    } catch (error) {
      request.off('data', onData)
      reject(error)
    }
  }
  request.on('data', onData)
  request.on('end', () => resolve(chunks))
  // The sender is gone: the answer reaches nobody, but the handler must end.
  request.on('error', () => reject(new ApiError('BAD_REQUEST', 'the body broke off')))
  return await promise
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`)
}
