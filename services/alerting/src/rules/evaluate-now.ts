/** Evaluates a workspace's enabled rules when it asks for it, notifying as usual. */
import type { Handlers } from '@posthorn/http/handlers'
import type { EvaluateRules } from './evaluate-rules.ts'

export interface EvaluateNowDeps {
  evaluateAll: EvaluateRules['evaluateAll']
}

export function createEvaluateNow(
  deps: EvaluateNowDeps,
): Handlers<'alerting'>['evaluateAlertRules'] {
  return async ({ caller }) => {
    const { tenantId, projectId } = caller
    const evaluated = await deps.evaluateAll({ tenantId, projectId })
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
