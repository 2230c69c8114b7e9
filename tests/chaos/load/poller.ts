/**
 * A consumer of a poll endpoint: it fetches, acknowledges until the acknowledgement is answered,
 * and begins again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import type { BeginCommand, Target } from './protocol.ts'

const POLL_SECONDS = 5
const ANSWER_TIMEOUT_MS = 10_000
const AGAIN_MS = 250
/** The most events that one request may acknowledge. */
const MAX_ACKNOWLEDGED = 100

export function startPoller(
  { url, apiKey, round }: Pick<BeginCommand, 'url' | 'apiKey' | 'round'>,
  target: Target,
  ledger: Ledger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  /**
   * Events that were fetched and whose acknowledgement was not answered. One may be acknowledged
   * all the same; then it is never shown again.
   */
  const owed = new Set<string>()

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

  async function acknowledge(): Promise<void> {
    if (owed.size === 0) return
    const body = { endpoint_id: target.id, event_ids: [...owed].slice(0, MAX_ACKNOWLEDGED) }
    const answer = await call<{ acknowledged: string[] }>('/api/v1/poll/ack', body)
    for (const id of answer.acknowledged) ledger.succeeded(id, Date.now())
    for (const id of body.event_ids) owed.delete(id)
  }

  async function pollOnce(): Promise<void> {
    await acknowledge()
    const path = `/api/v1/poll?endpoint_id=${target.id}&limit=100&timeout=${POLL_SECONDS}`
    const { events } = await call<{
      events: { id: string; payload: { round: string; lane: number; n: number } }[]
    }>(path)
    for (const { id, payload } of events) {
      // An event of an earlier round, which has been evaluated already.
      if (payload.round !== round) continue
      ledger.arrived(id, { target, lane: payload.lane, n: payload.n }, Date.now())
      owed.add(id)
    }
    await acknowledge()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pollOnce().catch(async () => await pause(AGAIN_MS))
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
