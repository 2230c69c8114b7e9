/**
 * The one source of randomness: everything that a run draws is drawn here, so that a seed repeats a
 * run.
 */
export interface SeededRandom {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [0, count). */
  below(count: number): number
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  happens(probability: number): boolean
}

/** mulberry32. Its 2^32 states are plenty for runs of some thousand draws. */
export function createSeededRandom(seed: number): SeededRandom {
  // Neighbouring seeds differ in one bit; multiplying makes their sequences unrelated.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    between: (from, to) => from + next() * (to - from),
    pick<Item>(items: readonly Item[]): Item {
      return items[below(items.length)] as Item
    },
    happens: (probability) => next() < probability,
  }
}
