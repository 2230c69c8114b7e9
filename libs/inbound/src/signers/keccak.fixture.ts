/** Keccak-256 as Ethereum uses it, which is not SHA3-256: node:crypto has none. */
const MASK = (1n << 64n) - 1n
const RATE = 136

function rotated(word: bigint, by: number): bigint {
  const bits = BigInt(by % 64)
  return ((word << bits) | (word >> (64n - bits))) & MASK
}

function* roundConstants(): Generator<bigint> {
  let register = 1
  for (let round = 0; round < 24; round++) {
    let constant = 0n
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant ^= 1n << BigInt(2 ** bit - 1)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    yield constant
  }
}

function permuted(lanes: bigint[]): bigint[] {
  let a = lanes
  for (const constant of roundConstants()) {
    const columns = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ (a[x + y] as bigint), 0n),
    )
    const mixed = columns.map(
      (_, x) => (columns[(x + 4) % 5] as bigint) ^ rotated(columns[(x + 1) % 5] as bigint, 1),
    )
    a = a.map((lane, index) => lane ^ (mixed[index % 5] as bigint))
    const moved = [...a]
    let [x, y] = [1, 0]
    for (let step = 0; step < 24; step++) {
      const next = (2 * x + 3 * y) % 5
      moved[y + 5 * next] = rotated(a[x + 5 * y] as bigint, ((step + 1) * (step + 2)) / 2)
      ;[x, y] = [y, next]
    }
    a = moved.map((lane, index) => {
      const row = index - (index % 5)
      const [one, two] = [
        moved[row + ((index + 1) % 5)] as bigint,
        moved[row + ((index + 2) % 5)] as bigint,
      ]
      return lane ^ (~one & MASK & two)
    })
    a[0] = (a[0] as bigint) ^ constant
  }
  return a
}

export function keccak256(text: string): string {
  const bytes = Buffer.from(text)
  const padded = Buffer.alloc((Math.floor(bytes.length / RATE) + 1) * RATE)
  bytes.copy(padded)
  padded[bytes.length] = (padded[bytes.length] as number) ^ 0x01
  padded[padded.length - 1] = (padded[padded.length - 1] as number) ^ 0x80
  let lanes = Array.from({ length: 25 }, () => 0n)
  for (let at = 0; at < padded.length; at += RATE) {
    lanes = permuted(
      lanes.map((lane, index) =>
        index < RATE / 8 ? lane ^ padded.readBigUInt64LE(at + index * 8) : lane,
      ),
    )
  }
  const digest = Buffer.alloc(32)
  for (let index = 0; index < 4; index++) digest.writeBigUInt64LE(lanes[index] as bigint, index * 8)
  return digest.toString('hex')
}
