/**
 * A circuit breaker for each host of each tenant, so that a chat service that is down or hangs
 * takes nobody's time: after some attempts that could not be made, further ones are put off at
 * once, and one probes now and then. What a target refuses for good says that it is there, and
 * opens nothing.
 *
 * They are in memory, each process has its own: they save time, and nothing depends on them.
 * opossum counts for them.
 */
import { EventEmitter } from 'node:events'
import CircuitBreaker from 'opossum'
import type { TargetResult } from './target.ts'

export interface BreakerConfig {
  /** How long nothing is sent once it is open. */
  pauseMs: number
  /** Failures in a window of a minute, at least half of all, that open it. */
  failures: number
  /** Breakers that are kept, the least recently used leaving first. */
  maxBreakers: number
}

export const BREAKER_DEFAULTS: BreakerConfig = { pauseMs: 30_000, failures: 3, maxBreakers: 1_000 }

export interface Breakers {
  run(key: string, send: () => Promise<TargetResult>): Promise<TargetResult>
  /** How many are kept, and open. */
  counts(): { breakers: number; open: number }
  close(): void
}

const WINDOW_MS = 60_000
const BUCKETS = 6

interface KeptBreaker {
  circuit: CircuitBreaker<[() => Promise<TargetResult>], TargetResult>
  openUntil: number
}

/** What opossum is told: it counts rejections. */
class NotSent extends Error {
  readonly result: TargetResult
  constructor(result: TargetResult) {
    super('not sent')
    this.result = result
  }
}

/** @param now epoch ms */
export function createBreakers(config: BreakerConfig, now: () => number): Breakers {
  const kept = new Map<string, KeptBreaker>()
  // One timer for the windows of all, instead of one each.
  const rotation = new EventEmitter()
  rotation.setMaxListeners(config.maxBreakers + 1)
  const rotate = setInterval(() => rotation.emit('rotate'), WINDOW_MS / BUCKETS)
  rotate.unref()

  function make(): KeptBreaker {
    const circuit = new CircuitBreaker(attempt, {
      // Every send has a deadline of its own.
      timeout: false,
      errorThresholdPercentage: 50,
      volumeThreshold: config.failures,
      resetTimeout: config.pauseMs,
      rollingCountTimeout: WINDOW_MS,
      rollingCountBuckets: BUCKETS,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      rotateBucketController: rotation,
    })
    const breaker: KeptBreaker = { circuit, openUntil: 0 }
    circuit.on('open', () => {
      breaker.openUntil = now() + config.pauseMs
    })
    return breaker
  }

  /** The most recently used stands last. */
  function breakerOf(key: string): KeptBreaker {
    const breaker = kept.get(key) ?? make()
    kept.delete(key)
    kept.set(key, breaker)
    if (kept.size > config.maxBreakers) {
      const [oldest] = kept as Iterable<[string, KeptBreaker]>
      if (oldest !== undefined) {
        kept.delete(oldest[0])
        oldest[1].circuit.shutdown()
      }
    }
    return breaker
  }

  return {
    async run(key, send) {
      const breaker = breakerOf(key)
      try {
        return await breaker.circuit.fire(send)
      } catch (error) {
        if (error instanceof NotSent) return error.result
        const { code } = error as { code?: unknown }
        // It was evicted as it was asked.
        if (code === 'ESHUTDOWN') return await send()
        if (code !== 'EOPENBREAKER') throw error
        return putOff(Math.max(breaker.openUntil - now(), 1_000))
      }
    },
    counts: () => {
      const open = [...kept.values()].filter(({ circuit }) => circuit.opened).length
      return { breakers: kept.size, open }
    },
    close() {
      clearInterval(rotate)
      for (const { circuit } of kept.values()) circuit.shutdown()
      kept.clear()
    },
  }
}

async function attempt(send: () => Promise<TargetResult>): Promise<TargetResult> {
  const result = await send()
  // Too many at a time is the target's word that it is there.
  if (result.outcome === 'retry' && result.statusCode !== 429) throw new NotSent(result)
  return result
}

function putOff(retryAfterMs: number): TargetResult {
  const error = 'not sent: the attempts before failed, and the target is left alone for a while'
  return { outcome: 'retry', statusCode: null, error, retryAfterMs, isPutOff: true }
}
