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

const KEY = 'X-Idempotency-Key: first-$(date +%s)'

/** A first event, to be sent from a terminal. */
export function firstEventCurl(target: { destination: string } | { eventType: string }): string {
  return apiCurl('/events', { ...target, payload: { hello: 'world' } }, [KEY])
}

/** A first event of a project that is not the default one. */
export function projectEventCurl(projectId: string): string {
  const body = { eventType: 'order.paid', payload: { orderId: 'o_1' } }
  return apiCurl('/events', body, [`X-Project-ID: ${projectId}`, KEY])
}

/**
 * A POST to the API with a body, to be sent from a terminal.
 * @param headers what the shell itself fills in stays as it is
 */
export function apiCurl(path: string, body: object, headers: readonly string[] = []): string {
  return [
    `curl -X POST ${location.origin}/api/v1${path}`,
    ...['X-API-Key: $API_KEY', ...headers].map((header) => `-H "${header}"`),
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}
