/** Answers by hand what is no HTTP, or never ends: there is no request to answer. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@posthorn/contracts/errors'

const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Time for the answer to be read before the connection goes. Whoever does not close it by then does
 * not mean to.
 */
const LAST_MS = 1_000

export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  // If a byte of an answer is out, a second answer would be read as part of the first one's body.
  const started = (socket as { bytesWritten?: number }).bytesWritten ?? 0
  if (error.code === 'ECONNRESET' || !socket.writable || started > 0) {
    socket.destroy()
    return
  }
  const status = STATUS[error.code ?? ''] ?? 400
  const reason = STATUS_CODES[status] ?? 'Bad Request'
  const body: ErrorBody = { error: reason.toLowerCase(), code: 'BAD_REQUEST' }
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // Ending our side alone leaves the other half open for as long as the sender likes.
  const late = setTimeout(() => socket.destroy(), LAST_MS)
  socket.once('close', () => clearTimeout(late))
}
