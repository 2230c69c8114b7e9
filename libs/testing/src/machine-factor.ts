/**
 * How much slower this machine is just now than the one that bounds in processor time were set on.
 * A shared machine takes twice as long for the same work in one hour as in another.
 */

/** How long `work` takes, in ms of processor time, on the machine that the bounds were set on. */
const WORK_MS = 60
/** Beyond it a bound would say nothing any more. */
const MAX_FACTOR = 6
const RUNS = 5
/** The measurement takes some 300 ms, a thirtieth of the time for which it is taken for true. */
const GOOD_FOR_MS = 10_000

let last: { factor: number; until: number } | undefined

/** @returns 1 or more */
export function measureMachineFactor(): number {
  const best = Math.min(...Array.from({ length: RUNS }, work))
  const factor = Math.min(MAX_FACTOR, Math.max(1, best / WORK_MS))
  last = { factor, until: performance.now() + GOOD_FOR_MS }
  return factor
}

/** The same, measured some seconds ago at most. */
export function machineFactor(): number {
  if (last !== undefined && performance.now() < last.until) return last.factor
  return measureMachineFactor()
}

/** The processor time of work like the product's: text, maps and objects. */
function work(): number {
  const before = process.threadCpuUsage().user
  const object = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key-${n}`, [n]]))
  for (let n = 0; n < 6; n += 1) JSON.parse(JSON.stringify(object))
  return (process.threadCpuUsage().user - before) / 1_000
}
