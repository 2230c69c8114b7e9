/** Keywords that apply other schemas to the same value. */
import {
  type SchemaCheck,
  evaluate,
  forget,
  merge,
  newEvaluated,
  type SchemaNode,
  passes,
  report,
  type EvaluationRun,
  type Evaluated,
} from './evaluate.ts'

export function allOf(nodes: readonly SchemaNode[]): SchemaCheck {
  return (value, run, seen) => {
    let all = true
    for (const node of nodes) {
      if (evaluate(node, value, run, seen)) continue
      all = false
      if (run.silent > 0) break
    }
    return all
  }
}

/** `target` is known when the whole document has been read. */
export function reference(target: { node: SchemaNode | undefined }): SchemaCheck {
  return (value, run, seen) => evaluate(target.node as SchemaNode, value, run, seen)
}

/**
 * Which of the alternatives matter is known only at the end, so each keeps its own record of what
 * it evaluated.
 */
function tryOne(
  node: SchemaNode,
  value: unknown,
  run: EvaluationRun,
  seen: Evaluated | null,
): boolean {
  if (seen === null) return evaluate(node, value, run, null)
  const own = newEvaluated(run)
  const result = evaluate(node, value, run, own)
  if (result) merge(run, own, seen)
  return result
}

export function anyOf(nodes: readonly SchemaNode[]): SchemaCheck {
  return (value, run, seen) => {
    const before = run.problems.length
    let any = false
    for (const node of nodes) {
      if (!tryOne(node, value, run, seen)) continue
      any = true
      // All alternatives that match count for what is evaluated.
      if (seen === null) break
    }
    if (!any) return report(run, 'must match a schema in anyOf')
    forget(run, before)
    return true
  }
}

export function oneOf(nodes: readonly SchemaNode[]): SchemaCheck {
  return (value, run, seen) => {
    const before = run.problems.length
    let count = 0
    for (const node of nodes) {
      if (tryOne(node, value, run, seen)) count += 1
      if (count > 1) break
    }
    if (count > 0) forget(run, before)
    return count === 1 || report(run, 'must match exactly one schema in oneOf')
  }
}

export function not(node: SchemaNode): SchemaCheck {
  return (value, run) => !passes(node, value, run, null) || report(run, 'must NOT be valid')
}

export function conditional(
  condition: SchemaNode,
  branches: { whenTrue: SchemaNode | undefined; whenFalse: SchemaNode | undefined },
): SchemaCheck {
  return (value, run, seen) => {
    run.silent += 1
    const holds = tryOne(condition, value, run, seen)
    run.silent -= 1
    const branch = holds ? branches.whenTrue : branches.whenFalse
    if (branch === undefined || evaluate(branch, value, run, seen)) return true
    return report(run, `must match "${holds ? 'then' : 'else'}" schema`)
  }
}
