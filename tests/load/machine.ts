/** The machine, and what else ran on it. Figures of different machines are not compared. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

export interface Machine {
  processors: number
  model: string
  memoryGiB: number
}

export function thisMachine(): Machine {
  const all = cpus()
  return {
    processors: all.length,
    model: all[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
}

export function isSameType(one: Machine, other: Machine): boolean {
  return (
    one.processors === other.processors &&
    one.model === other.model &&
    one.memoryGiB === other.memoryGiB
  )
}

export function commitOf(checkout: string): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' }).trim()
    return (
      git('rev-parse', '--short=10', 'HEAD') + (git('status', '--porcelain') ? ' (changed)' : '')
    )
  } catch {
    return 'unknown'
  }
}

export interface Ticks {
  total: number
  /** Ticks that were neither idle, nor waiting for a disk, nor stolen. */
  busy: number
  stolen: number
}

export interface Disturbance {
  /** The share of the processors' time that the host gave to others. */
  steal: number
  /** The share that other programs of this machine took. */
  others: number
}

/**
 * A run during which others took more than these shares of the processors says little about the
 * product.
 */
const MAX_DISTURBANCE: Disturbance = { steal: 0.05, others: 0.1 }
const TICKS_PER_SECOND = 100

export function readTicks(): Ticks {
  return parseTicks(readFileSync('/proc/stat', 'utf8'))
}

/**
 * The columns are user, nice, system, idle, iowait, irq, softirq, steal. What guests used is
 * already in user.
 */
export function parseTicks(text: string): Ticks {
  const line = text.slice(0, text.indexOf('\n'))
  const values = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = values.reduce((sum, value) => sum + value, 0)
  const [stolen = 0, idle = 0, waiting = 0] = [values[7], values[3], values[4]]
  return { total, stolen, busy: total - stolen - idle - waiting }
}

/** @param ownSeconds what the product and the measuring processes used meanwhile */
export function disturbance(before: Ticks, after: Ticks, ownSeconds: number): Disturbance {
  const total = after.total - before.total
  if (total <= 0) return { steal: 0, others: 0 }
  const others = after.busy - before.busy - ownSeconds * TICKS_PER_SECOND
  return {
    steal: (after.stolen - before.stolen) / total,
    others: Math.max(0, others / total),
  }
}

export function isSpoiled({ steal, others }: Disturbance): boolean {
  return steal > MAX_DISTURBANCE.steal || others > MAX_DISTURBANCE.others
}
