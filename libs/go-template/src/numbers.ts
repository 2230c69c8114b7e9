/**
 * Numbers in templates: literals, which are Go's `int`, `float64` and `complex128`, and numbers of
 * the data. Go's JSON makes every number a `float64`, which prints 2500000 as `2.5e+06` and refuses
 * `gt .value 90`; so a number of the data keeps how JSON spelled it, counts as a whole number where
 * it is one, and compares with any other. docs/decisions/0024-go-templates.md lists what differs.
 */

export type NumberKind = 'int' | 'uint8' | 'float64' | 'complex128'

/** Tells a number from an object of the data, which has no symbols as keys. */
const IS_NUMBER: unique symbol = Symbol('number')

export interface GoNumber {
  readonly [IS_NUMBER]: true
  readonly kind: NumberKind
  /** The exact value of a whole number; null: it is none, or not one to count with. */
  readonly whole: bigint | null
  /** The real part. */
  readonly float: number
  readonly imaginary: number
  /** How a number of the data is printed; null: it is no number of the data. */
  readonly spelling: string | null
}

export function newGoNumber(
  kind: NumberKind,
  {
    whole,
    float = Number(whole),
    imaginary = 0,
    spelling,
  }: { whole?: bigint; float?: number; imaginary?: number; spelling?: string },
): GoNumber {
  return {
    [IS_NUMBER]: true,
    kind,
    whole: whole ?? null,
    float,
    imaginary,
    spelling: spelling ?? null,
  }
}

export function isGoNumber(value: unknown): value is GoNumber {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, IS_NUMBER)
}

export function goInt(value: number | bigint): GoNumber {
  return newGoNumber('int', { whole: BigInt(value) })
}

/** JavaScript's numbers print with an exponent from here, and so do these. */
const EXPONENT_FROM = 1e21
/** Digits beyond those of the largest double say nothing more. */
const MAX_DIGITS = 400

/** A number of the data, from how JSON spells it. */
export function dataNumber(spelling: string): GoNumber {
  if (/^-?\d+$/.test(spelling) && spelling.length <= MAX_DIGITS) {
    const whole = BigInt(spelling)
    return newGoNumber('float64', { whole, spelling: String(whole) })
  }
  const float = Number(spelling)
  if (Number.isInteger(float) && Math.abs(float) < EXPONENT_FROM) {
    const whole = BigInt(float)
    return newGoNumber('float64', { whole, spelling: String(whole) })
  }
  const hasExponent = /e/i.test(spelling)
  return newGoNumber('float64', {
    float,
    spelling: hasExponent ? withoutExponent(spelling, float) : spelling,
  })
}

/** A small fraction in plain digits; what would take too many stays as it was spelled. */
function withoutExponent(spelling: string, float: number): string {
  const [digits = '', exponent = '0'] = String(float).split('e')
  const places = -Number(exponent)
  if (!Number.isFinite(float) || Math.abs(places) > 20) return spelling
  if (places === 0) return digits
  const sign = float < 0 ? '-' : ''
  return `${sign}0.${'0'.repeat(places - 1)}${digits.replace(/[-.]/g, '')}`
}

/** -1, 0 or 1; numbers of any two kinds compare exactly. */
export function compareNumbers(one: GoNumber, other: GoNumber): number {
  const left = one.whole ?? one.float
  const right = other.whole ?? other.float
  return left < right ? -1 : left > right ? 1 : 0
}

/** A whole number that can be an index or a width; null: it is none. */
export function asIndex(value: GoNumber): number | null {
  if (value.whole === null) return null
  return value.whole >= -MAX_SAFE && value.whole <= MAX_SAFE ? Number(value.whole) : null
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
