/** Keywords that apply other schemas to the same value. */
import {
  type Check,
  evaluate,
  forget,
  merge,
  newSeen,
  type Node,
  passes,
  report,
  type Run,
  type Seen,
} from './evaluate.ts'

export function allOf(nodes: readonly Node[]): Check {
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
export function reference(target: { node: Node | undefined }): Check {
  return (value, run, seen) => evaluate(target.node as Node, value, run, seen)
}

/** Which of the alternatives matter is known at the end only, so each has notes of its own. */
function tryOne(node: Node, value: unknown, run: Run, seen: Seen | null): boolean {
  if (seen === null) return evaluate(node, value, run, null)
  const own = newSeen(run)
  const result = evaluate(node, value, run, own)
  if (result) merge(run, own, seen)
  return result
}

export function anyOf(nodes: readonly Node[]): Check {
  return (value, run, seen) => {
    const before = run.problems.length
    let any = false
    for (const node of nodes) {
      if (!tryOne(node, value, run, seen)) continue
      any = true
      // All that match count for what is evaluated.
      if (seen === null) break
    }
    if (!any) return report(run, 'must match a schema in anyOf')
    forget(run, before)
    return true
  }
}

export function oneOf(nodes: readonly Node[]): Check {
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

export function not(node: Node): Check {
  return (value, run) => !passes(node, value, run, null) || report(run, 'must NOT be valid')
}

export function conditional(
  condition: Node,
  branches: { whenTrue: Node | undefined; whenFalse: Node | undefined },
): Check {
  return (value, run, seen) => {
    run.silent += 1
    const holds = tryOne(condition, value, run, seen)
    run.silent -= 1
    const branch = holds ? branches.whenTrue : branches.whenFalse
    if (branch === undefined || evaluate(branch, value, run, seen)) return true
    return report(run, `must match "${holds ? 'then' : 'else'}" schema`)
  }
}
