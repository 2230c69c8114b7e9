/**
 * Posts events as a careful customer does: at a steady rate, and again with the same key until each
 * is answered. In a FIFO lane it waits for the answer to one event before it posts the next, so
 * that their order is certain.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { isOrdered, type Ledger, type SentEvent } from './ledger.ts'
import type { BeginCommand, Target } from './protocol.ts'

export interface Sender {
  stop(): Promise<void>
  open(): number
}

const CONNECTIONS = 64
/** Beyond this new events are left out, so that the sender's own memory is bounded. */
const MAX_OPEN = 2_000
/** A timeout such as a careful customer's client has. */
const ANSWER_TIMEOUT_MS = 10_000
const AGAIN_MS = 250
const TICK_MS = 10
/** How long unanswered posts are repeated after sending has stopped. */
const LAST_WORDS_MS = 60_000

/** @returns the answer; null when there was none */
async function postEvent(pool: Pool, apiKey: string, key: string, body: string) {
  try {
    const response = await pool.request({
      method: 'POST',
      path: '/api/v1/events',
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        'x-idempotency-key': key,
      },
      body,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const text = await response.body.text()
    const retryAfter = response.headers['retry-after']
    return {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      text,
    }
  } catch {
    return null
  }
}

/** Posts one event until its answer makes it certain that it was accepted. */
function createPoster(config: BeginCommand, ledger: Ledger) {
  const pool = new Pool(config.url, {
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  })
  let stoppedAt = Number.POSITIVE_INFINITY
  let open = 0

  /** @returns whether the answer makes it certain that the event was accepted */
  async function post(sent: SentEvent): Promise<boolean> {
    const { target, lane, n } = sent
    const key = `${config.round}-${target.name}-${lane}-${n}`
    const where = target.id === '' ? { destination: target.url } : { eventType: target.name }
    const pad = 'x'.repeat(200)
    const body = JSON.stringify({
      ...where,
      payload: { round: config.round, lane, n, key: `k${lane}`, pad },
    })
    while (performance.now() < stoppedAt + LAST_WORDS_MS) {
      const askedAt = performance.now()
      const answer = await postEvent(pool, config.apiKey, key, body)
      ledger.answered(performance.now() - askedAt)
      if (answer === null) ledger.unanswered(Date.now())
      else if (answer.status === 201 || answer.status === 409) {
        const id = idOf(answer)
        if (id !== undefined) {
          ledger.accepted(id, sent, Date.now())
          return true
        }
        ledger.refused(answer.status, null, answer.text, Date.now())
      } else ledger.refused(answer.status, answer.retryAfter, answer.text, Date.now())
      await pause(AGAIN_MS)
    }
    return false
  }

  async function postCounted(sent: SentEvent): Promise<boolean> {
    open += 1
    try {
      return await post(sent)
    } finally {
      open -= 1
    }
  }

  return {
    post: postCounted,
    open: () => open,
    async stop() {
      stoppedAt = performance.now()
      while (open > 0) await pause(TICK_MS)
      await pool.destroy()
    },
  }
}

export function startSender(config: BeginCommand, ledger: Ledger): Sender {
  const poster = createPoster(config, ledger)
  let sending = true
  const streams = config.targets.flatMap((target) =>
    Array.from({ length: target.lanes }, (_, lane) => ({ target, lane, n: 0 })),
  )
  const ordered = streams.filter(({ target }) => isOrdered(target))
  const free = streams.filter(({ target }) => !isOrdered(target))
  const everyMs = (1_000 * streams.length) / config.perSecond

  async function runLane(stream: SentEvent): Promise<void> {
    let next = performance.now() + Math.random() * everyMs
    while (sending) {
      const waitMs = next - performance.now()
      if (waitMs > 0) await pause(waitMs)
      // After an outage it goes on at its rate, without posting what it could not post meanwhile.
      next = Math.max(next, performance.now()) + everyMs
      if (!sending || !(await poster.post({ ...stream }))) return
      stream.n += 1
    }
  }

  function runFree(): NodeJS.Timeout {
    let owed = 0
    let at = performance.now()
    let next = 0
    return setInterval(() => {
      const now = performance.now()
      owed = Math.min(owed + (now - at) * (free.length / everyMs), free.length)
      at = now
      for (; owed >= 1; owed -= 1) {
        const stream = free[next % free.length] as SentEvent & { target: Target }
        next += 1
        if (poster.open() >= MAX_OPEN) continue
        void poster.post({ ...stream })
        stream.n += 1
      }
    }, TICK_MS)
  }

  const timer = runFree()
  const lanes = ordered.map(runLane)
  return {
    open: poster.open,
    async stop() {
      sending = false
      clearInterval(timer)
      const stopped = poster.stop()
      await Promise.all([...lanes, stopped])
    },
  }
}

/** The event's id, also from a 409: the event was accepted and the answer was lost. */
function idOf({ status, text }: { status: number; text: string }): string | undefined {
  const body = JSON.parse(text) as { id?: string; details?: { eventId?: string } }
  return status === 201 ? body.id : body.details?.eventId
}
