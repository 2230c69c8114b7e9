/**
 * Makes the PNG of a page's screen two or three times smaller: 256 of its colours stay, and the
 * others, which are edges of letters, become the nearest of them. For pictures that a repository
 * keeps; it reads only what Chromium writes (8 bits a channel, not interlaced).
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Three bytes each, row by row. */
  rgb: Uint8Array
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const MAX_COLOURS = 256
/** Areas keep their very colours, which may be near to each other. */
const EXACT_COLOURS = 48
/** A step of 10 in each channel: so a colour that is rare has a place beside a thousand greys. */
const LEAST_DISTANCE = 300

export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPng(png)
  const { palette, indexOf } = paletteOf(rgb)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = indexOf(colourAt(rgb, y * width + x))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, each the number of a colour.
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function paletteOf(rgb: Uint8Array) {
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < rgb.length / 3; pixel += 1) {
    const colour = colourAt(rgb, pixel)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one)
  const exact = byCount.length <= MAX_COLOURS ? MAX_COLOURS : EXACT_COLOURS
  const palette = byCount.slice(0, exact).map(([colour]) => colour)
  for (const [colour] of byCount.slice(exact)) {
    if (palette.length === MAX_COLOURS) break
    if (palette.every((one) => distance(one, colour) > LEAST_DISTANCE)) palette.push(colour)
  }
  const indexes = new Map(palette.map((colour, index) => [colour, index]))
  function indexOf(colour: number): number {
    const known = indexes.get(colour)
    if (known !== undefined) return known
    const distances = palette.map((one) => distance(one, colour))
    const nearest = distances.indexOf(Math.min(...distances))
    indexes.set(colour, nearest)
    return nearest
  }
  return { palette, indexOf }
}

function colourAt(rgb: Uint8Array, pixel: number): number {
  const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3)
  return (red << 16) | (green << 8) | blue
}

function distance(one: number, other: number): number {
  const of = (shift: number): number => ((one >> shift) & 255) - ((other >> shift) & 255)
  return of(16) ** 2 + of(8) ** 2 + of(0) ** 2
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

export function readPng(png: Buffer): Pixels {
  const parts = chunksOf(png)
  const header = parts.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = { 2: 3, 3: 1, 6: 4 }[header[9] ?? 0]
  if (header[8] !== 8 || channels === undefined || header[12] !== 0) {
    throw new Error('this is no PNG of 8 bits a channel')
  }
  const data = Buffer.concat(parts.flatMap((one) => (one.type === 'IDAT' ? [one.data] : [])))
  const rows = unfilter(inflateSync(data), width * channels, height, channels)
  const palette = parts.find(({ type }) => type === 'PLTE')?.data
  const rgb = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [from, at] =
      palette === undefined ? [rows, pixel * channels] : [palette, (rows[pixel] ?? 0) * 3]
    rgb.set(from.subarray(at, at + 3), pixel * 3)
  }
  return { width, height, rgb }
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const found = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    found.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return found
}

/** Each row begins with how its bytes were predicted from those on the left and above. */
function unfilter(data: Buffer, rowBytes: number, height: number, step: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const kind = data[y * (rowBytes + 1)] ?? 0
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x
      const left = x < step ? 0 : (rows[at - step] ?? 0)
      const above = y === 0 ? 0 : (rows[at - rowBytes] ?? 0)
      const corner = x < step || y === 0 ? 0 : (rows[at - rowBytes - step] ?? 0)
      rows[at] = (data[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted(kind, left, above, corner)
    }
  }
  return rows
}

function predicted(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0
  if (kind === 1) return left
  if (kind === 2) return above
  if (kind === 3) return (left + above) >> 1
  const guess = left + above - corner
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ]
  return a <= b && a <= c ? left : b <= c ? above : corner
}
