/**
 * Writes answers: JSON text in one piece with its length. It bypasses Express's own way, which
 * computes a hash of each answer.
 */
import type { ServerResponse } from 'node:http'
import type { ErrorAnswer } from './errors.ts'
import { isScimPath, SCIM_TYPE, scimErrorOf } from './scim-error.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The headers of every answer, whether its request was served by Express or past it. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
}

/** @param more headers that are not set on the response yet; given here they cost half */
export function sendText(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string,
  more?: Record<string, string>,
): void {
  response.writeHead(status, {
    ...more,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  more?: Record<string, string>,
): void {
  sendText(response, status, JSON_TYPE, text, more)
}

/** A client that takes nothing for so long is given up: its answer holds memory and cursors. */
const PATIENCE_MS = 60_000

/**
 * Sends an answer piece by piece, in bounded memory. The first piece is made before the head is
 * sent: what fails until then is thrown, and answered as an error. What fails later breaks the
 * connection off, so that nobody takes the part for the whole.
 */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  chunks: AsyncIterable<string>,
  more: Record<string, string>,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  response.writeHead(status, { ...more, 'Content-Type': JSON_TYPE })
  try {
    while (next.done !== true && !response.destroyed) {
      if (!response.write(next.value)) await isTaken(response)
      next = await iterator.next()
    }
    response.end()
  } catch (error) {
    response.destroy(Error.isError(error) ? error : undefined)
    throw error
  } finally {
    await iterator.return?.()
  }
}

/** Resolves when the client has taken what was written, or is gone. */
async function isTaken(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => response.destroy(), PATIENCE_MS)
  response.once('drain', resolve).once('close', resolve)
  await promise
  clearTimeout(timer)
  response.off('drain', resolve).off('close', resolve)
}

/**
 * @param url of the request: errors below `/scim/v2` have the shape that its clients can read
 */
export function sendError(
  response: ServerResponse,
  answer: ErrorAnswer,
  url: string,
  more?: Record<string, string>,
): void {
  // These are set, not given, so that they replace those that a key's own limit has set.
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  // Its sender may go on sending for as long as it likes: nobody waits for the rest.
  if (answer.status === 408) response.setHeader('Connection', 'close')
  if (answer.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', answer.retryAfterSeconds)
  if (isScimPath(url)) sendText(response, answer.status, SCIM_TYPE, scimErrorOf(answer), more)
  else sendJson(response, answer.status, JSON.stringify(answer.body), more)
}
