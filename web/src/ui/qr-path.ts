/** A text as a QR code: black squares on a square of white, of which scanners need four rows around. */
import { encode } from 'uqr'

const QUIET = 4

/** @returns the squares as a path of SVG, each 1 by 1, and how many there are in a row */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: squares.join('') }
}
