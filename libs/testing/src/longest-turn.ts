/**
 * Measures for how long one round kept the event loop busy while something was done, in processor
 * time of this thread: a machine that is busy with something else does not change it, nor does one
 * that is slower than the one that the bounds were set on. The kernel counts it in ticks of up to 4
 * ms.
 */
import { machineFactor } from './machine-factor.ts'

/** @returns ms as the machine would take that the bounds were set on */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const factor = machineFactor()
  let longest = 0
  let isOver = false
  let last = cpuMs()
  function turn(): void {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await new Promise((resolve) => setImmediate(resolve))
  longest = 0
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return longest / factor
}

/** The best of several runs, for the garbage collector stops a round of its own choice. */
export async function shortestOfLongestTurnsMs(
  runs: number,
  isEnough: (ms: number) => boolean,
  work: () => Promise<unknown>,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && !isEnough(best); run += 1)
    best = Math.min(best, await longestTurnMs(work))
  return best
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
