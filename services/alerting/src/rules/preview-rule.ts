/**
 * When a condition would have matched over the past hours. It is evaluated every two minutes over
 * the last day, and before that, where the rollups are exact to the hour, every hour.
 */
import { type AlertCondition, parseCondition, windowMs } from '@posthorn/domain/alert-condition'
import { evaluateRule, metricValue } from '@posthorn/domain/evaluate-rule'
import { badField } from '@posthorn/http/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { Pool } from '@posthorn/store/pool'
import { isEndpoint } from '@posthorn/store/alerting/rules'
import { percentile } from '@posthorn/store/rollups/latency-cells'
import type { Freshness } from '../fold/fold-rollups.ts'
import type { CountedWindow, EvaluateRulesDeps } from './evaluate-rules.ts'

export interface PreviewRuleDeps {
  pool: Pick<Pool, 'query'>
  readWindows: EvaluateRulesDeps['readWindows']
  rollups: Pick<Freshness, 'catchUp'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

interface Step {
  at: number
  value: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FINE_MS = 24 * HOUR_MS
const FINE_STEP_MS = 2 * MINUTE_MS
/** A preview of a few hours shows each minute. */
const FINEST_HOURS = 12
const LATENCY_PERCENT = 95

export function createPreviewRule(deps: PreviewRuleDeps): Handlers<'alerting'>['previewAlertRule'] {
  return async ({ caller, body }) => {
    const condition = toCondition(body.condition)
    if (condition.metric === 'queue_depth') {
      throw badField('condition.metric', 'has no past: only how many wait now is known')
    }
    const { tenantId, projectId } = caller
    const { endpointId = null, hours } = body
    if (endpointId !== null && !(await isEndpoint(deps.pool, caller, endpointId))) {
      throw badField('endpointId', 'is no endpoint of this workspace or project')
    }
    const now = deps.now()
    const length = windowMs(condition.window)
    const times = timesOf(hours, now)
    await deps.rollups.catchUp([tenantId])
    const windows = await deps.readWindows(
      deps.pool,
      times.map((at) => ({
        tenantId,
        projectId,
        endpointId,
        from: new Date(at - length),
        to: new Date(at),
      })),
      now,
    )
    const steps = times.map((at, index) => ({ at, value: valueOf(condition, windows[index]) }))
    return { firings: firingsOf(condition, steps) }
  }
}

function toCondition(given: string | AlertCondition): AlertCondition {
  if (typeof given !== 'string') return given
  const parsed = parseCondition(given)
  if (parsed.outcome === 'ok') return parsed.condition
  throw badField('condition', `${parsed.message} (at column ${parsed.column})`)
}

/** From the first to now, each a time at which the condition is evaluated. */
export function timesOf(hours: number, now: number): number[] {
  const fineStep = hours <= FINEST_HOURS ? MINUTE_MS : FINE_STEP_MS
  const times: number[] = []
  let at = now
  while (at > now - hours * HOUR_MS) {
    times.push(at)
    at -= now - at < FINE_MS ? fineStep : HOUR_MS
  }
  return times.reverse()
}

function valueOf({ metric }: AlertCondition, window: CountedWindow | undefined): number | null {
  const { succeeded = 0, failed = 0, latency = null } = window ?? {}
  const latencyMs = latency === null ? null : percentile(latency, LATENCY_PERCENT)
  return metricValue(metric, { succeeded, failed, latencyMs, waiting: 0 })
}

const QUIET = { state: 'ok', episode: 0, notified: 0, notifiedAt: null } as const

/** Runs of steps that match. One that matches still ends with the last step. */
export function firingsOf(
  { operator, value: threshold }: Pick<AlertCondition, 'operator' | 'value'>,
  steps: readonly Step[],
): { from: string; to: string; peak: number }[] {
  const isLow = operator === 'lt' || operator === 'lte'
  const firings: { from: number; to: number; peak: number }[] = []
  let open: (typeof firings)[number] | undefined
  for (const { at, value } of steps) {
    const { matched } = evaluateRule({ operator, threshold, cooldownMs: 0 }, QUIET, value, at)
    if (open !== undefined) open.to = at
    if (!matched || value === null) open = undefined
    else if (open === undefined) firings.push((open = { from: at, to: at, peak: value }))
    else open.peak = isLow ? Math.min(open.peak, value) : Math.max(open.peak, value)
  }
  return firings.map(({ from, to, peak }) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    peak,
  }))
}
