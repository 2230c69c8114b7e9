/**
 * What a piece of work costs a processor, for bounds that neither a busy machine nor a slower one
 * than they were set on must break.
 */
import { machineFactor } from './machine-factor.ts'

/** A busy machine makes some runs dearer, and not each of so many. */
const RUNS = 10

/**
 * @param mostMs a run below it ends the measurement
 * @returns the least of some runs, in ms of the machine that bounds were set on
 */
export function leastCpuMs(mostMs: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS && least >= mostMs; run += 1) least = Math.min(least, cpuMs(work))
  return least
}

/** @returns what one run costs, in ms of the machine that bounds were set on */
export function cpuMs(work: () => void): number {
  const factor = machineFactor()
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000 / factor
}
