/** Random choices from a seed (mulberry32), so that what was found can be sent again. */
export interface SeededRandom {
  /** A whole number in [0, below). */
  integer(below: number): number
  pick<One>(from: readonly One[]): One
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number): number => Math.floor(next() * below)
  return { integer, pick: (from) => from[integer(from.length)] as (typeof from)[number] }
}
