/** Requests as commands that a shell takes as they are. */
import { quoted } from './quoted.ts'

export function curlOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

/** A first event, to be sent from a terminal. */
export function firstEventCurl(target: { destination: string } | { eventType: string }): string {
  const body = JSON.stringify({ ...target, payload: { hello: 'world' } })
  return [
    `curl -X POST ${location.origin}/api/v1/events`,
    `-H "X-API-Key: $API_KEY"`,
    `-H "X-Idempotency-Key: first-$(date +%s)"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** A POST to the API with a body, to be sent from a terminal. */
export function apiCurl(path: string, body: object): string {
  return [
    `curl -X POST ${location.origin}/api/v1${path}`,
    `-H "X-API-Key: $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}
