/** Evaluates a workspace's enabled rules when it asks for it, notifying as usual. */
import type { Handlers } from '@posthorn/http/handlers'
import { createShares } from '../shares.ts'
import type { EvaluateRules } from './evaluate-rules.ts'

export interface EvaluateNowDeps {
  evaluateAll: EvaluateRules['evaluateAll']
}

/** They wait for one another by their locks, each with a connection that others need too. */
const EVALUATIONS_AT_ONCE = 2

export function createEvaluateNow(
  deps: EvaluateNowDeps,
): Handlers<'alerting'>['evaluateAlertRules'] {
  const shares = createShares(EVALUATIONS_AT_ONCE)
  return async ({ caller }) => {
    const { tenantId, projectId } = caller
    const evaluated = await shares.take(tenantId, 'evaluations', () =>
      deps.evaluateAll({ tenantId, projectId }),
    )
    const results = evaluated.map(({ rule, value, evaluation: { matched, state } }) => ({
      ruleId: rule.id,
      value,
      matched,
      state,
    }))
    const firing = results.filter(({ state }) => state === 'firing').length
    return { evaluated: results.length, firing, results }
  }
}
