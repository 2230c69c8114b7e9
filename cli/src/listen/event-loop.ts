/**
 * Fetches events and forwards them, and acknowledges an event once the application has answered it
 * with 2xx: never before. What fails is left alone, and the installation hands it out again after
 * its visibility timeout, as often as the endpoint's attempts allow.
 *
 * While the application can't be reached at all, what is at hand is kept and nothing more is
 * fetched: each fetch would use up an attempt. In order, one event is forwarded at a time, and its
 * successors wait until it was answered with 2xx.
 */

export interface FetchedEvent {
  id: string
  eventType: string | null
  /** JSON text as sent. */
  payload: string
  headers: Record<string, string>
}

export type Forwarded =
  | { outcome: 'accepted' | 'refused'; statusCode: number; durationMs: number }
  | { outcome: 'unreachable' | 'failed'; error: string; durationMs: number }

export interface EventLoopConfig {
  concurrency: number
  isOrdered: boolean
}

export interface EventLoopDeps {
  /** Waits for events; rejects when it is aborted. It repeats by itself what may be repeated. */
  receive(limit: number, signal: AbortSignal): Promise<FetchedEvent[]>
  /** Resolves once the installation has taken it, or when there is no time left. */
  acknowledge(id: string): Promise<void>
  forward(event: FetchedEvent, attempt: number): Promise<Forwarded>
  report(event: FetchedEvent, forwarded: Forwarded): void
  /** Ends early, without an error, when it is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 2_000
/** In order, one request brings as many as can be forwarded well within a visibility timeout. */
const ORDERED_BATCH = 10

/** @returns a function that goes on until it is aborted, and then ends what is under way */
export function createEventLoop(
  { concurrency, isOrdered }: EventLoopConfig,
  deps: EventLoopDeps,
): (signal: AbortSignal) => Promise<void> {
  const inFlight = new Map<string, Promise<void>>()
  const unreachable = new Set<string>()

  async function deliver(event: FetchedEvent, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const forwarded = await deps.forward(event, attempt)
      deps.report(event, forwarded)
      if (forwarded.outcome === 'unreachable') unreachable.add(event.id)
      else unreachable.delete(event.id)
      if (forwarded.outcome === 'accepted') return await deps.acknowledge(event.id)
      if (!isOrdered && forwarded.outcome !== 'unreachable') return
      await deps.pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), signal)
      if (signal.aborted) return
    }
  }

  function begin(event: FetchedEvent, signal: AbortSignal): void {
    // Its visibility timeout has ended while it was under way: it is not forwarded twice at once.
    if (inFlight.has(event.id)) return
    const done = deliver(event, signal).finally(() => {
      inFlight.delete(event.id)
      unreachable.delete(event.id)
    })
    inFlight.set(event.id, done)
  }

  async function runInOrder(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const event of await receive(ORDERED_BATCH, signal)) {
        if (signal.aborted) return
        await deliver(event, signal)
      }
    }
  }

  async function runBesideEachOther(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      while (inFlight.size >= concurrency || unreachable.size > 0)
        await Promise.race(inFlight.values())
      if (signal.aborted) break
      for (const event of await receive(concurrency - inFlight.size, signal)) begin(event, signal)
    }
    await Promise.all(inFlight.values())
  }

  async function receive(limit: number, signal: AbortSignal): Promise<FetchedEvent[]> {
    try {
      return await deps.receive(limit, signal)
    } catch (error) {
      if (signal.aborted) return []
      throw error
    }
  }

  return isOrdered ? runInOrder : runBesideEachOther
}
