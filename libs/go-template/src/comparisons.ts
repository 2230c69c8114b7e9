/** `eq`, `lt` and the rest, by Go's rules, but that any number compares with any other. */
import { compareStrings } from './go-strings.ts'
import { compareNumbers, type GoNumber, isGoNumber } from './numbers.ts'
import { describe, type GoValue, isList, isMap, RenderFailure } from './values.ts'

/** Whether the first equals one of the others. */
export function isEqualToAny(first: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new RenderFailure('there is nothing to compare with')
  return others.some((other) => isEqual(first, other))
}

function isEqual(one: GoValue, other: GoValue): boolean {
  const left = one ?? null
  const right = other ?? null
  if (left === null || right === null) return left === right
  if (typeof left === 'string' && typeof right === 'string') return left === right
  if (typeof left === 'boolean' && typeof right === 'boolean') return left === right
  if (isGoNumber(left) && isGoNumber(right)) {
    refuseMixedComplex(left, right)
    return compareNumbers(left, right) === 0 && left.imaginary === right.imaginary
  }
  if ((isList(left) && isList(right)) || (isMap(left) && isMap(right))) {
    throw new RenderFailure(`${describe(left)} can't be compared`)
  }
  throw incompatible(left, right)
}

export function isLess(one: GoValue, other: GoValue): boolean {
  for (const value of [one, other]) {
    if (typeof value !== 'string' && typeof value !== 'boolean' && !isGoNumber(value)) {
      throw new RenderFailure(`${describe(value)} can't be compared`)
    }
  }
  if (typeof one === 'string' && typeof other === 'string') return compareStrings(one, other) < 0
  if (isGoNumber(one) && isGoNumber(other)) {
    refuseMixedComplex(one, other)
    if (one.kind === 'complex128') throw new RenderFailure('complex numbers have no order')
    return compareNumbers(one, other) < 0
  }
  throw incompatible(one, other)
}

export function isLessOrEqual(one: GoValue, other: GoValue): boolean {
  return isLess(one, other) || isEqual(one, other)
}

function refuseMixedComplex(one: GoNumber, other: GoNumber): void {
  if ((one.kind === 'complex128') !== (other.kind === 'complex128')) throw incompatible(one, other)
}

function incompatible(one: GoValue, other: GoValue): RenderFailure {
  return new RenderFailure(`can't compare ${describe(one)} with ${describe(other)}`)
}
