/** The squares that every QR code has, and those of a text. */
import { expect, test } from '@jest/globals'
import { qrPath } from './qr-path.ts'

const QUIET = 4
const FINDER = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
const URL =
  'otpauth://totp/Posthorn:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Posthorn'

function rowsOf(text: string): string[] {
  const { size, path } = qrPath(text)
  const squares = new Set(path.match(/M\d+ \d+/g))
  const at = [...Array.from({ length: size }).keys()]
  return at.map((y) => at.map((x) => (squares.has(`M${x} ${y}`) ? '1' : '0')).join(''))
}

test('three corners have the squares that scanners look for, and white is around', () => {
  const rows = rowsOf(URL)
  const size = rows.length - 2 * QUIET
  expect((size - 17) % 4).toBe(0)
  const corner = (x: number, y: number) => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7))
  const far = QUIET + size - 7
  expect(corner(QUIET, QUIET)).toEqual(FINDER)
  expect(corner(far, QUIET)).toEqual(FINDER)
  expect(corner(QUIET, far)).toEqual(FINDER)
  expect(corner(far, far)).not.toEqual(FINDER)
  const white = [...rows.slice(0, QUIET), ...rows.slice(-QUIET)].join('')
  expect(white).not.toContain('1')
  expect(rows.every((row) => !`${row.slice(0, QUIET)}${row.slice(-QUIET)}`.includes('1'))).toBe(
    true,
  )
})

test('another text has other squares', () => {
  expect(rowsOf(URL)).not.toEqual(rowsOf(URL.replace('JBSWY', 'KBSWY')))
})
