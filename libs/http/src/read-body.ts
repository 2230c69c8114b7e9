/**
 * Reads a request's body into text. Written for the hot path: one listener, one copy, no stream in
 * between. What is over the limit is refused as soon as that is known, and never kept.
 */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'

const decoder = new TextDecoder('utf-8', { fatal: true })

export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks = await readChunks(request, maxBytes, true)
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new ApiError('BAD_REQUEST', 'the body is not valid UTF-8', { cause })
  }
}

/** For routes that take no body: what comes is read past and thrown away, within the same limit. */
export async function skipBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  if (hasBody(request)) await readChunks(request, maxBytes, false)
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  )
}

function readChunks(request: IncomingMessage, maxBytes: number, keep: boolean): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge(maxBytes))
      return
    }
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        request.off('data', onData)
        reject(tooLarge(maxBytes))
      } else if (keep) {
        chunks.push(chunk)
      }
    }
    request.on('data', onData)
    request.on('end', () => resolve(chunks))
    // The sender is gone: the answer reaches nobody, but the handler must end.
    request.on('error', () => reject(new ApiError('BAD_REQUEST', 'the body broke off')))
  })
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`)
}
