/** Floating-point numbers as Go's `strconv.FormatFloat` writes them, exact to any precision. */

interface DecimalDigits {
  /** Without zeros at either end; empty: zero. */
  digits: string
  /** Where the decimal point stands: 0 is right before the first digit. */
  point: number
}

/**
 * @param format `e`, `f`, `g`, `x` or `b`
 * @param precision null: as few digits as tell the number from every other
 * @returns with a minus where it is negative
 */
export function formatFloat(value: number, format: string, precision: number | null): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (format === 'x') return sign + hexadecimal(size, precision)
  if (format === 'b') return sign + binary(size)
  if (precision === null) return sign + shortest(size, format)
  if (format === 'e') return sign + exponential(rounded(size, precision + 1, 'digits'), precision)
  if (format === 'f') return sign + plain(rounded(size, precision, 'places'), precision)
  const digits = Math.max(precision, 1)
  return sign + general(rounded(size, digits, 'digits'), digits)
}

function shortest(size: number, format: string): string {
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e')
  const digits = mantissa.replace('.', '').replace(/0+$/, '')
  const decimal = { digits, point: digits === '' ? 0 : Number(exponent) + 1 }
  if (format === 'e') return exponential(decimal, Math.max(digits.length - 1, 0))
  if (format === 'f') return plain(decimal, Math.max(digits.length - decimal.point, 0))
  return general(decimal, null)
}

/** @param precision null: the digits are as few as can be */
function general(decimal: DecimalDigits, precision: number | null): string {
  const { digits, point } = decimal
  let largest = precision ?? 6
  if (precision !== null && largest > digits.length && digits.length >= point)
    largest = digits.length
  const exponent = digits === '' ? -1 : point - 1
  if (exponent < -4 || exponent >= largest) {
    return exponential(decimal, Math.max(Math.min(precision ?? 800, digits.length) - 1, 0))
  }
  return plain(decimal, Math.max(digits.length - point, 0))
}

function exponential({ digits, point }: DecimalDigits, places: number): string {
  const shown = digits.padEnd(places + 1, '0')
  const exponent = digits === '' ? 0 : point - 1
  const fraction = places > 0 ? `.${shown.slice(1, places + 1)}` : ''
  return `${shown[0]}${fraction}e${signed(exponent)}`
}

function signed(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function plain({ digits, point }: DecimalDigits, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (places === 0) return whole
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits
  return `${whole}.${fraction.padEnd(places, '0').slice(0, places)}`
}

/** The exact decimal value, rounded half to even after so many digits, or decimal places. */
function rounded(size: number, count: number, unit: 'digits' | 'places'): DecimalDigits {
  const { digits, point } = exactDecimal(size)
  const kept = unit === 'digits' ? count : point + count
  if (kept >= digits.length) return { digits, point }
  if (kept < 0) return { digits: '', point: 0 }
  const rest = digits.slice(kept)
  const isTie = /^50*$/.test(rest)
  const isOdd = kept > 0 && Number(digits[kept - 1]) % 2 === 1
  const up = isTie ? isOdd : (rest[0] as string) >= '5'
  const head = digits.slice(0, kept)
  if (!up) return trimmed(head, point)
  const next = String(BigInt(`0${head}`) + 1n).padStart(kept, '0')
  return trimmed(next, point + next.length - kept)
}

function trimmed(digits: string, point: number): DecimalDigits {
  const without = digits.replace(/0+$/, '')
  return without === '' ? { digits: '', point: 0 } : { digits: without, point }
}

const MANTISSA_BITS = 52

/** The two parts of a double: `mantissa * 2 ** exponent`. */
function partsOf(size: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  if (biased === 0) return { mantissa: fraction, exponent: -1074 }
  return { mantissa: fraction | (1n << 52n), exponent: biased - 1023 - MANTISSA_BITS }
}

function exactDecimal(size: number): DecimalDigits {
  const { mantissa, exponent } = partsOf(size)
  if (mantissa === 0n) return { digits: '', point: 0 }
  // m / 2^k is m * 5^k / 10^k.
  const places = Math.max(-exponent, 0)
  const digits = String(
    exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(places),
  )
  return trimmed(digits, digits.length - places)
}

function binary(size: number): string {
  const { mantissa, exponent } = partsOf(size)
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
}

/** `0x1.8p+00`: one binary digit, then hexadecimal ones. */
function hexadecimal(size: number, precision: number | null): string {
  let { mantissa, exponent } = partsOf(size)
  if (mantissa === 0n) {
    return `0x0${precision === null || precision === 0 ? '' : `.${'0'.repeat(precision)}`}p+00`
  }
  while (mantissa < 1n << 52n) {
    mantissa <<= 1n
    exponent--
  }
  if (precision !== null && precision < 13) {
    const dropped = BigInt(4 * (13 - precision))
    const unit = 1n << dropped
    const rest = mantissa % unit
    const isTie = rest * 2n === unit
    const isOdd = (mantissa / unit) % 2n === 1n
    mantissa -= rest
    if (rest * 2n > unit || (isTie && isOdd)) mantissa += unit
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n
      exponent++
    }
  }
  const digits = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0')
  const fraction = precision === null ? digits.replace(/0+$/, '') : digits.padEnd(precision, '0')
  const shown = precision === null ? fraction : fraction.slice(0, precision)
  return `0x1${shown === '' ? '' : `.${shown}`}p${signed(exponent + MANTISSA_BITS)}`
}
