/** A consumer of a poll endpoint: fetches, acknowledges, and begins again, whatever the answer was. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import type { Begin, Target } from './protocol.ts'

const POLL_SECONDS = 5
const ANSWER_TIMEOUT_MS = 10_000
const AGAIN_MS = 250

export function startPoller(
  { url, apiKey, round }: Pick<Begin, 'url' | 'apiKey' | 'round'>,
  target: Target,
  ledger: Ledger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()

  async function call<Body>(path: string, body?: object): Promise<Body> {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    return (await response.json()) as Body
  }

  async function turn(): Promise<void> {
    const path = `/api/v1/poll?endpoint_id=${target.id}&limit=100&timeout=${POLL_SECONDS}`
    const { events } = await call<{
      events: { id: string; payload: { round: string; lane: number; n: number } }[]
    }>(path)
    for (const { id, payload } of events) {
      if (payload.round !== round) continue // of an earlier one: its verdict has been spoken
      ledger.arrived(id, { target, lane: payload.lane, n: payload.n }, Date.now())
    }
    if (events.length === 0) return
    const body = { endpoint_id: target.id, event_ids: events.map(({ id }) => id) }
    const answer = await call<{ acknowledged: string[] }>('/api/v1/poll/ack', body)
    for (const id of answer.acknowledged) ledger.succeeded(id, Date.now())
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await turn().catch(async () => await pause(AGAIN_MS))
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
