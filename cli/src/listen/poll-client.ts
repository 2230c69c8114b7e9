/**
 * The installation as `listen` uses it: fetching and acknowledging go on through its restarts, and
 * acknowledgements that come at once share a request.
 */
import {
  type Posthorn,
  PosthornApiError,
  type PosthornConnectionError,
} from '../../../sdks/node/src/posthorn-node.ts'
import { describeError } from '../failure.ts'
import type { FetchedEvent } from './event-loop.ts'

export interface PollClientDeps {
  posthorn: Pick<Posthorn, 'poll'>
  /** The endpoint, which may be made again meanwhile. */
  endpointId(): string
  /** The endpoint is gone. */
  renew(): Promise<void>
  status(line: string): void
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Aborted when the user ends the command. */
  signal: AbortSignal
}

const POLL_SECONDS = 30
/** The installation may be busy when a poll's time is over. */
const POLL_TIMEOUT_MS = (POLL_SECONDS + 20) * 1_000
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000
/** For what is to be acknowledged when the user has ended the command. */
const LAST_ACK_MS = 5_000
const MAX_ACKS = 500

export function createPollClient(deps: PollClientDeps) {
  const { posthorn, pause } = deps
  let isConnected = true

  function toldOf(error: unknown, ms: number): void {
    if (isConnected) {
      const { error: reason } = describeError(error)
      deps.status(`lost the connection (${reason}); trying again, the first time in ${ms} ms`)
    }
    isConnected = false
  }

  /** Until it is answered, refused for good, or aborted. */
  async function persistently<Answer>(
    call: () => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await call()
        if (!isConnected) deps.status('connected again')
        isConnected = true
        return answer
      } catch (error) {
        if (signal.aborted || !isRetryable(error)) throw error
        const asked = error instanceof PosthornApiError ? (error.retryAfterMs ?? 0) : 0
        const ms = Math.max(asked, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt))
        toldOf(error, ms)
        await pause(ms, signal)
        if (signal.aborted) throw error
      }
    }
  }

  async function receive(limit: number, signal: AbortSignal): Promise<FetchedEvent[]> {
    const options = { maxRetries: 0, timeoutMs: POLL_TIMEOUT_MS, signal }
    const call = () => {
      const query = { endpoint_id: deps.endpointId(), limit, timeout: POLL_SECONDS }
      return posthorn.poll.receive(query, options)
    }
    try {
      const { events } = await persistently(call, signal)
      return events.map(({ id, eventType, payload, headers }) => ({
        id,
        eventType,
        payload: payload as unknown as string,
        headers,
      }))
    } catch (error) {
      if (signal.aborted || !(error instanceof PosthornApiError) || error.status !== 404)
        throw error
      await deps.renew()
      return []
    }
  }

  return { receive, acknowledge: createAcknowledge(deps, persistently) }
}

/** What is acknowledged is on its way for a while after the user has ended the command. */
function createAcknowledge(
  { posthorn, endpointId, status, ...deps }: PollClientDeps,
  persistently: <Answer>(call: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>,
) {
  const waiting: { id: string; done: () => void }[] = []
  const signal = lateSignal(deps.signal)
  let isSending = false

  async function sendAll(): Promise<void> {
    isSending = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_ACKS)
      const body = { endpoint_id: endpointId(), event_ids: batch.map(({ id }) => id) }
      try {
        const options = { maxRetries: 0, signal }
        const { notFound } = await persistently(() => posthorn.poll.ack(body, options), signal)
        for (const id of notFound) status(`event ${id} waits no more: it was not acknowledged`)
      } catch (error) {
        const { error: reason } = describeError(error)
        status(`${batch.length} events were not acknowledged, and come again: ${reason}`)
      }
      for (const { done } of batch) done()
    }
    isSending = false
  }

  return async (id: string): Promise<void> => {
    const sent = new Promise<void>((done) => waiting.push({ id, done }))
    if (!isSending) void sendAll()
    await sent
  }
}

/** Aborted some time after the other. */
function lateSignal(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = (): void => {
    setTimeout(() => late.abort(), LAST_ACK_MS).unref()
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return late.signal
}

function isRetryable(error: unknown): boolean {
  return (error as Partial<PosthornConnectionError>)?.retryable === true
}
