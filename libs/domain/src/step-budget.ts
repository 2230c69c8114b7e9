/**
 * A bound on what one evaluation may cost. Whatever a tenant writes that is run against a payload
 * (a filter, a pattern, a path, a schema) spends steps from a budget as it goes and ends when there
 * are none left, so that no combination of it and a payload holds an event loop for long. Steps are
 * counted, not timed: an event that was too costly once is so on every machine and each time, and
 * `explain` finds the same as fan-out did.
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

/** Throws `TooCostly` when the budget does not have as many steps. */
export function spend(budget: StepBudget, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw new TooCostly()
}
