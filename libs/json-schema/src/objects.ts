/** Keywords that look at the members of an object. */
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import {
  type SchemaCheck,
  evaluate,
  evaluateAt,
  isObject,
  namesOf,
  type SchemaNode,
  report,
  type EvaluationRun,
  type Evaluated,
} from './evaluate.ts'

/** Names that a pattern matches, and the schema of their members. */
export interface NamePattern {
  test(name: string, budget: StepBudget): boolean
  node: SchemaNode
}

export function required(names: readonly string[]): SchemaCheck {
  return (value, run) => {
    if (!isObject(value)) return true
    spend(run.budget, names.length)
    return requireAll(value, names, run)
  }
}

function requireAll(value: object, names: readonly string[], run: EvaluationRun): boolean {
  let all = true
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue
    all = report(run, `must have required property '${name}'`, name)
    if (run.silent > 0) break
  }
  return all
}

export function countOfMembers(
  keyword: 'maxProperties' | 'minProperties',
  limit: number,
): SchemaCheck {
  const words = keyword === 'maxProperties' ? 'more' : 'fewer'
  const message = `must NOT have ${words} than ${limit} properties`
  return (value, run) => {
    if (!isObject(value)) return true
    const { length } = namesOf(value, run)
    return (keyword === 'maxProperties' ? length <= limit : length >= limit) || report(run, message)
  }
}

export function properties(nodes: ReadonlyMap<string, SchemaNode>): SchemaCheck {
  return (value, run, seen) => {
    if (!isObject(value)) return true
    spend(run.budget, nodes.size)
    let all = true
    for (const [name, node] of nodes) {
      if (!Object.hasOwn(value, name)) continue
      note(seen, name, run)
      if (!evaluateAt(node, value, name, run)) all = false
      if (!all && run.silent > 0) break
    }
    return all
  }
}

function note(seen: Evaluated | null, name: string, run: EvaluationRun): void {
  if (seen === null) return
  spend(run.budget, 8)
  seen.names.add(name)
}

export function patternProperties(patterns: readonly NamePattern[]): SchemaCheck {
  return (value, run, seen) => {
    if (!isObject(value)) return true
    let all = true
    for (const name of namesOf(value, run)) {
      for (const { test, node } of patterns) {
        spend(run.budget, 1)
        if (!test(name, run.budget)) continue
        note(seen, name, run)
        if (!evaluateAt(node, value, name, run)) all = false
        if (!all && run.silent > 0) return false
      }
    }
    return all
  }
}

/** The members that neither `properties` nor `patternProperties` beside it name. */
export function additionalProperties(
  node: SchemaNode,
  named: ReadonlySet<string>,
  patterns: readonly NamePattern[],
): SchemaCheck {
  return (value, run, seen) => {
    if (!isObject(value)) return true
    const others = namesOf(value, run).filter(
      (name) => !named.has(name) && !patterns.some(({ test }) => test(name, run.budget)),
    )
    return evaluateOthers(others, value, node, run, 'must NOT have additional properties', seen)
  }
}

export function unevaluatedProperties(node: SchemaNode): SchemaCheck {
  return (value, run, seen) => {
    if (!isObject(value) || seen === null || seen.allNames) return true
    const others = namesOf(value, run).filter((name) => !seen.names.has(name))
    const message = 'must NOT have unevaluated properties'
    return evaluateOthers(others, value, node, run, message, seen)
  }
}

function evaluateOthers(
  names: readonly string[],
  value: object,
  node: SchemaNode,
  run: EvaluationRun,
  message: string,
  seen: Evaluated | null,
): boolean {
  if (seen !== null) seen.allNames = true
  let all = true
  for (const name of names) {
    spend(run.budget, 1)
    const isFine =
      node.constant === false ? report(run, message, name) : evaluateAt(node, value, name, run)
    if (isFine) continue
    all = false
    if (run.silent > 0) break
  }
  return all
}

export function propertyNames(node: SchemaNode): SchemaCheck {
  return (value, run) => {
    if (!isObject(value)) return true
    let all = true
    for (const name of namesOf(value, run)) {
      if (evaluate(node, name, run, null)) continue
      all = report(run, 'property name must be valid')
      if (run.silent > 0) break
    }
    return all
  }
}

export function dependentRequired(
  dependencies: readonly [string, readonly string[]][],
): SchemaCheck {
  return (value, run) => {
    if (!isObject(value)) return true
    let all = true
    for (const [name, others] of dependencies) {
      spend(run.budget, 1 + others.length)
      if (Object.hasOwn(value, name) && !requireAll(value, others, run)) all = false
    }
    return all
  }
}

export function dependentSchemas(dependencies: readonly [string, SchemaNode][]): SchemaCheck {
  return (value, run, seen) => {
    if (!isObject(value)) return true
    spend(run.budget, dependencies.length)
    let all = true
    for (const [name, node] of dependencies) {
      if (!Object.hasOwn(value, name)) continue
      if (!evaluate(node, value, run, seen)) all = false
    }
    return all
  }
}
