/** For those who import `heap.mjs` from TypeScript. */
export const HEAP_FLAGS: readonly string[]
