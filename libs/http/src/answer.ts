/**
 * Writes answers: JSON text in one piece with its length, past Express's own ways, which cost a
 * hash each.
 */
import type { ServerResponse } from 'node:http'
import type { ErrorAnswer } from './errors.ts'

export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

export function sendError(response: ServerResponse, answer: ErrorAnswer): void {
  if (answer.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', answer.retryAfterSeconds)
  sendJson(response, answer.status, JSON.stringify(answer.body))
}
