/**
 * Evaluates alert rules over what the rollups counted. Rules belong to the transaction that locked
 * them, so several instances share them; a round that is cut off has changed nothing, and somebody
 * else does it again.
 */
import { metricValue, evaluateRule } from '@posthorn/domain/evaluate-rule'
import { hasFeature, type PlanName, planNamed } from '@posthorn/domain/plans'
import {
  type EvaluatedRule,
  hasDueRules,
  lockEnabledRules,
  readDueTenants,
  setRulesAside,
  takeDueRules,
  type TakenRule,
  type TakenRules,
  writeEvaluations,
} from '@posthorn/store/alerting/evaluations'
import type { WaitingScope } from '@posthorn/store/alerting/queue-depth'
import type { AlertRuleRow } from '@posthorn/store/alerting/rule-row'
import type { RuleScope } from '@posthorn/store/alerting/rules'
import type { Pool } from '@posthorn/store/pool'
import { withRetries } from '@posthorn/store/repeat'
import { percentile } from '@posthorn/store/rollups/latency-cells'
import type { WindowQuery } from '@posthorn/store/rollups/read-window'
import { inTransaction, type TransactionClient } from '@posthorn/store/transaction'
import type { Freshness } from '../fold/fold-rollups.ts'

/** What of a window rules are evaluated by. */
export interface CountedWindow {
  succeeded: number
  failed: number
  /** Cells; null: nothing was measured. */
  latency: readonly number[] | null
}

/** Reads what rules look at, by the connection that has locked them. */
export interface EvaluateRulesDeps {
  pool: Pool
  rollups: Freshness
  /** In the order of the queries. */
  readWindows(
    client: TransactionClient,
    queries: readonly WindowQuery[],
    now: number,
  ): Promise<readonly CountedWindow[]>
  /** In the order of the scopes. */
  readWaiting(
    client: TransactionClient,
    scopes: readonly WaitingScope[],
  ): Promise<readonly number[]>
}

export interface EvaluateRulesConfig {
  /** The plan of workspaces without a subscription. */
  defaultPlan: PlanName
}

/** What came of rules whose time had come. */
export interface RulesRound {
  /** Those that were taken; as many as `BATCH`: there may be more. */
  taken: number
  evaluated: number
}

export interface EvaluateRules {
  /** Some of those whose time has come, where their workspace's plan has alerting. */
  evaluateDue(): Promise<RulesRound>
  /** All enabled rules of a workspace or a project, now. */
  evaluateAll(scope: RuleScope): Promise<EvaluatedRule[]>
}

/** Rules of one round: some 50 ms. */
export const BATCH = 200
const LATENCY_PERCENT = 95

export function createEvaluateRules(
  { defaultPlan }: EvaluateRulesConfig,
  deps: EvaluateRulesDeps,
): EvaluateRules {
  async function round(
    take: (client: TransactionClient) => Promise<TakenRules>,
  ): Promise<{ taken: number; evaluated: EvaluatedRule[] }> {
    const done = await withRetries(() =>
      inTransaction(deps.pool, async (client) => {
        const { rules, now } = await take(client)
        const isIncluded = ({ plan }: TakenRule): boolean =>
          hasFeature(planNamed(plan, defaultPlan), 'alerting')
        const evaluated = await evaluate(client, rules.filter(isIncluded), now)
        await writeEvaluations(client, evaluated, now)
        await setRulesAside(
          client,
          rules.filter((rule) => !isIncluded(rule)),
        )
        return { taken: rules.length, evaluated }
      }),
    )
    return done ?? { taken: 0, evaluated: [] }
  }

  async function evaluate(
    client: TransactionClient,
    rules: readonly TakenRule[],
    now: number,
  ): Promise<EvaluatedRule[]> {
    const values = await readValues(deps, client, rules, now)
    return rules.map((rule, index) => {
      const value = rule.isEndpointGone ? null : (values[index] ?? null)
      const terms = {
        operator: rule.operator,
        threshold: rule.threshold,
        cooldownMs: rule.cooldownMs,
      }
      const before = { ...stateOf(rule), notifiedAt: rule.notifiedAt?.getTime() ?? null }
      return { rule, value, evaluation: evaluateRule(terms, before, value, now) }
    })
  }

  return {
    async evaluateDue() {
      if (!(await hasDueRules(deps.pool))) return { taken: 0, evaluated: 0 }
      // Before rules are locked, so that no lock is held meanwhile.
      if (deps.rollups.isBehind())
        await deps.rollups.catchUp(await readDueTenants(deps.pool, BATCH))
      const { taken, evaluated } = await round((client) => takeDueRules(client, BATCH))
      return { taken, evaluated: evaluated.length }
    },
    async evaluateAll(scope) {
      await deps.rollups.catchUp([scope.tenantId])
      return (await round((client) => lockEnabledRules(client, scope))).evaluated
    },
  }
}

/** Rules that look at the same are answered by one read. */
async function readValues(
  deps: EvaluateRulesDeps,
  client: TransactionClient,
  rules: readonly AlertRuleRow[],
  now: number,
): Promise<(number | null)[]> {
  const [ofQueue, ofWindows] = [
    rules.filter(({ metric }) => metric === 'queue_depth'),
    rules.filter(({ metric }) => metric !== 'queue_depth'),
  ]
  const queues = distinct(ofQueue, (rule) => scopeKey(rule))
  const windows = distinct(ofWindows, (rule) => `${scopeKey(rule)} ${rule.windowMs}`)
  const waiting = await deps.readWaiting(client, queues.firsts)
  const queries = windows.firsts.map((rule) => windowOf(rule, now))
  const counted = await deps.readWindows(client, queries, now)
  return rules.map((rule) => {
    const window = counted[windows.placeOf(rule)]
    const { latency = null, succeeded = 0, failed = 0 } = window ?? {}
    return metricValue(rule.metric, {
      succeeded,
      failed,
      latencyMs: latency === null ? null : percentile(latency, LATENCY_PERCENT),
      waiting: waiting[queues.placeOf(rule)] ?? 0,
    })
  })
}

function stateOf({ state, episode, notified }: AlertRuleRow) {
  return { state, episode, notified }
}

function windowOf(rule: AlertRuleRow, now: number): WindowQuery {
  const { tenantId, projectId, endpointId, windowMs } = rule
  return { tenantId, projectId, endpointId, from: new Date(now - windowMs), to: new Date(now) }
}

function scopeKey({ tenantId, projectId, endpointId }: AlertRuleRow): string {
  return `${tenantId} ${projectId} ${endpointId}`
}

/** The first of those with one key, and the place of each one's first. */
function distinct(rules: readonly AlertRuleRow[], keyOf: (rule: AlertRuleRow) => string) {
  const places = new Map<string, number>()
  const firsts: AlertRuleRow[] = []
  for (const rule of rules) {
    const key = keyOf(rule)
    if (places.has(key)) continue
    places.set(key, firsts.length)
    firsts.push(rule)
  }
  return { firsts, placeOf: (rule: AlertRuleRow) => places.get(keyOf(rule)) ?? -1 }
}
