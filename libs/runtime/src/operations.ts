/**
 * What a process tells about itself: `/live` and `/ready` to whoever runs it, `/health` to people
 * and monitors, `/metrics` to Prometheus. A store that is down does not make a process unready, or
 * every instance would leave at once.
 */
import { within } from '@posthorn/async/within'
import type { Metrics } from './metrics.ts'
import type { HealthCheck } from './service.ts'

export interface Health {
  ok: boolean
  checks: { name: string; ok: boolean; detail: string }[]
}

export interface Operations {
  isReady(): boolean
  health(): Promise<Health>
  metrics(): Promise<{ contentType: string; body: string }>
}

/** A store that hangs counts as down. */
const CHECK_MS = 3_000

export function createOperations(
  isReady: () => boolean,
  checks: readonly HealthCheck[],
  metrics: Metrics,
): Operations {
  return {
    isReady,
    async health() {
      const results = await Promise.all(checks.map(run))
      return { ok: results.every((result) => result.ok), checks: results }
    },
    metrics: () => metrics.render(),
  }
}

async function run({ name, check }: HealthCheck): Promise<Health['checks'][number]> {
  try {
    const late = () => ({ ok: false, detail: `no answer within ${CHECK_MS} ms` })
    return { name, ...(await within(CHECK_MS, check(), late)) }
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
