/**
 * A bound on the cost of one evaluation. Whatever a tenant writes that is run against a payload (a
 * filter, a pattern, a path, a schema) spends steps from a budget and ends when there are none
 * left, so that no combination with a payload blocks an event loop for long. Steps are counted, not
 * timed: an event that was too costly once is so on every machine and each time, and `explain`
 * comes to the same result as fan-out did.
 */

export interface StepBudget {
  /** Steps that may still be spent; negative once there were not enough. */
  left: number
}

export class TooCostly extends Error {
  constructor() {
    super('the evaluation is too costly: it takes more steps than it may')
  }
}

/** Throws `TooCostly` when the budget has fewer steps left. */
export function spend(budget: StepBudget, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw new TooCostly()
}
