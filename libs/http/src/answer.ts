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
