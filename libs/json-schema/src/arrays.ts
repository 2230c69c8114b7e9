/** Keywords that look at the elements of a list. */
import { spend } from '@posthorn/domain/step-budget'
import {
  type SchemaCheck,
  evaluateAt,
  type SchemaNode,
  report,
  type EvaluationRun,
  type Evaluated,
} from './evaluate.ts'

export function countOfElements(keyword: 'maxItems' | 'minItems', limit: number): SchemaCheck {
  const isMax = keyword === 'maxItems'
  const message = `must NOT have ${isMax ? 'more' : 'fewer'} than ${limit} items`
  return (value, run) => {
    if (!Array.isArray(value)) return true
    return (isMax ? value.length <= limit : value.length >= limit) || report(run, message)
  }
}

/** One schema for each of the first elements. */
export function prefixItems(nodes: readonly SchemaNode[]): SchemaCheck {
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    const count = Math.min(nodes.length, value.length)
    if (seen !== null) seen.items = Math.max(seen.items, count)
    let all = true
    for (let place = 0; place < count; place += 1) {
      if (!evaluateAt(nodes[place] as SchemaNode, value, place, run)) all = false
      if (!all && run.silent > 0) break
    }
    return all
  }
}

/** One schema for all elements from a place on. */
export function itemsFrom(node: SchemaNode, first: number): SchemaCheck {
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    if (seen !== null) seen.items = Number.POSITIVE_INFINITY
    if (node.constant === false && value.length > first) {
      return report(run, `must NOT have more than ${first} items`)
    }
    return evaluateElements(node, value, first, run, null)
  }
}

export function unevaluatedItems(node: SchemaNode): SchemaCheck {
  return (value, run, seen) => {
    if (!Array.isArray(value) || seen === null) return true
    const { items: first, places } = seen
    seen.items = Number.POSITIVE_INFINITY
    if (node.constant !== false) return evaluateElements(node, value, first, run, places)
    // A schema that is `true` or `false` answers for all of them.
    for (let place = first; place < value.length; place += 1) {
      spend(run.budget, 1)
      if (!places.has(place)) return report(run, 'must NOT have unevaluated items')
    }
    return true
  }
}

function evaluateElements(
  node: SchemaNode,
  value: readonly unknown[],
  first: number,
  run: EvaluationRun,
  except: ReadonlySet<number> | null,
): boolean {
  let all = true
  for (let place = first; place < value.length; place += 1) {
    spend(run.budget, 1)
    if (except?.has(place) === true) continue
    if (evaluateAt(node, value, place, run)) continue
    all = false
    if (run.silent > 0) break
  }
  return all
}

/** This many elements match; in draft 2020-12 those count as evaluated. */
export function contains(
  node: SchemaNode,
  least: number,
  most: number,
  marks: boolean,
): SchemaCheck {
  const message =
    most === Number.POSITIVE_INFINITY
      ? `must contain at least ${least} valid item(s)`
      : `must contain at least ${least} and no more than ${most} valid item(s)`
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    const count = countMatching(node, value, run, marks ? seen : null, { least, most })
    return (count >= least && count <= most) || report(run, message)
  }
}

function countMatching(
  node: SchemaNode,
  value: readonly unknown[],
  run: EvaluationRun,
  seen: Evaluated | null,
  { least, most }: { least: number; most: number },
): number {
  let count = 0
  run.silent += 1
  for (let place = 0; place < value.length; place += 1) {
    spend(run.budget, 1)
    if (!evaluateAt(node, value, place, run)) continue
    count += 1
    seen?.places.add(place)
    const isKnown = count > most || (count >= least && most === Number.POSITIVE_INFINITY)
    if (isKnown && seen === null) break
  }
  run.silent -= 1
  return count
}
