/**
 * Runs a compiled schema: a tree of nodes, one for each subschema, each with its checks. Every node
 * that is entered, and whatever a check does for each member, element or character, spends steps,
 * so that an evaluation ends when it has cost too much, wherever it is.
 */
import type { FieldProblem } from '@posthorn/contracts/errors'
import { type StepBudget, spend, TooCostly } from '@posthorn/domain/step-budget'

export interface SchemaNode {
  /** A schema that is just `true` or `false`; null: its checks decide. */
  constant: boolean | null
  checks: SchemaCheck[]
  /**
   * Whether it has `unevaluatedItems` or `unevaluatedProperties`, and so must know what its parts
   * evaluated.
   */
  tracks: boolean
  /** The nodes that may be run on the same value as this one. */
  inPlace: SchemaNode[]
}

/** Whether the value passes; otherwise it reports why. `seen` is null where nobody asks for it. */
export type SchemaCheck = (value: unknown, run: EvaluationRun, seen: Evaluated | null) => boolean

export interface EvaluationRun {
  budget: StepBudget
  /** Where in the payload the check is. */
  path: (string | number)[]
  problems: FieldProblem[]
  /** Above 0 nothing is reported: the caller asks only whether the value passes, not why. */
  silent: number
  depth: number
}

/** The parts of an object or list that the checks of a schema have evaluated. */
export interface Evaluated {
  names: Set<string>
  allNames: boolean
  /** The number of first elements, and the places of others. */
  items: number
  places: Set<number>
}

export const MAX_PROBLEMS = 100
/**
 * A payload has at most 200 levels, each of which may take a few schemas; the stack has room for
 * 3,000.
 */
const MAX_DEPTH = 1_500
const MAX_PATH_CHARACTERS = 500

/** Two sets take 300 ns to make. */
export function newEvaluated(run: EvaluationRun): Evaluated {
  spend(run.budget, 20)
  return { names: new Set(), allNames: false, items: 0, places: new Set() }
}

export function evaluate(
  node: SchemaNode,
  value: unknown,
  run: EvaluationRun,
  seen: Evaluated | null,
): boolean {
  spend(run.budget, 2 + node.checks.length)
  if (node.constant !== null) return node.constant || report(run, 'boolean schema is false')
  run.depth += 1
  if (run.depth > MAX_DEPTH) throw new TooCostly()
  // It must not count what was evaluated by the schemas beside it.
  const own = node.tracks ? newEvaluated(run) : seen
  let passes = true
  for (const check of node.checks) {
    if (check(value, run, own)) continue
    passes = false
    if (run.silent > 0) break
  }
  run.depth -= 1
  if (passes && own !== null && seen !== null && own !== seen) merge(run, own, seen)
  return passes
}

/** Evaluates without reporting why the value does not pass. */
export function passes(
  node: SchemaNode,
  value: unknown,
  run: EvaluationRun,
  seen: Evaluated | null,
): boolean {
  run.silent += 1
  const result = evaluate(node, value, run, seen)
  run.silent -= 1
  return result
}

/** Evaluates a member or element of the value. */
export function evaluateAt(
  node: SchemaNode,
  container: object,
  place: string | number,
  run: EvaluationRun,
): boolean {
  run.path.push(place)
  const result = evaluate(node, (container as Record<string | number, unknown>)[place], run, null)
  run.path.pop()
  return result
}

export function merge(run: EvaluationRun, from: Evaluated, to: Evaluated): void {
  spend(run.budget, 10 * (from.names.size + from.places.size))
  for (const name of from.names) to.names.add(name)
  for (const place of from.places) to.places.add(place)
  to.allNames ||= from.allNames
  to.items = Math.max(to.items, from.items)
}

/** @returns false, as the check that failed does */
export function report(run: EvaluationRun, message: string, name?: string): false {
  if (run.silent === 0 && run.problems.length < MAX_PROBLEMS) {
    const path = ['payload', ...run.path, ...(name === undefined ? [] : [name])].join('.')
    run.problems.push({ path: path.slice(0, MAX_PATH_CHARACTERS), message })
  }
  return false
}

/** Drops the problems of alternatives that turned out not to matter. */
export function forget(run: EvaluationRun, since: number): void {
  run.problems.length = Math.min(run.problems.length, since)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Object.keys takes 110 ns a name in an object of very many, and a tenth of that in small ones. */
export function namesOf(value: object, run: EvaluationRun): string[] {
  const names = Object.keys(value)
  spend(run.budget, names.length > 1_000 ? names.length * 8 : names.length)
  return names
}
