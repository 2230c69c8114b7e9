/**
 * Decides what in a dose's measurement is a finding. The bound is the promise (25 ms of the event
 * loop at a time), times the factor by which this machine is slower than an idle one, plus what the
 * product takes here without an attack.
 */
import type { Observed } from './observed.ts'

export interface DoseMeasurement extends Observed {
  /** How much the product's memory grew. */
  grownMiB: number
  /** What the attack itself found wrong. */
  problems: readonly string[]
  /** What the product's watchdog logged: `<route or topic> <seconds>`. */
  stalls: readonly string[]
}

export interface MachineSpeed {
  /**
   * 1 on the idle machine that the bounds were set on; more where the same work takes more
   * processor time.
   */
  factor: number
  /** Figures of the product and its neighbour without an attack. */
  idle: Pick<Observed, 'stallMs' | 'p99Ms'>
}

const STALL_MS = 25
/** A heap that may grow before it is collected is no leak. */
const GROWN_MIB = 160
/**
 * The bound beside an attack on a machine that other tests use too. What is blocked takes seconds.
 */
const P99_MS = 1_000

export function evaluateDose(
  measured: DoseMeasurement,
  machine: MachineSpeed,
  maxMiB = GROWN_MIB,
): string[] {
  const { factor, idle } = machine
  const stallMs = STALL_MS * factor + idle.stallMs
  const p99Ms = P99_MS * factor + 2 * idle.p99Ms
  const findings = [...measured.problems]
  if (measured.stallMs > stallMs) {
    const by = measured.stalls.length === 0 ? '' : ` (${measured.stalls.join(', ')})`
    findings.push(
      `blocked the event loop for ${round(measured.stallMs)} ms of its processor time${by}; ${round(stallMs)} is allowed`,
    )
  }
  if (measured.p99Ms > p99Ms)
    findings.push(`the neighbour's p99 was ${round(measured.p99Ms)} ms; ${round(p99Ms)} is allowed`)
  const refused = Object.entries(measured.refused).map(([why, times]) => `${times} x ${why}`)
  if (refused.length > 0) findings.push(`the neighbour was refused: ${refused.join(', ')}`)
  if (measured.lost > 0) findings.push(`${measured.lost} of the neighbour's events did not arrive`)
  if (measured.grownMiB > maxMiB)
    findings.push(`memory grew by ${round(measured.grownMiB)} MiB; ${maxMiB} is allowed`)
  return findings
}

/** The finding without its numbers, so that the same finding with other figures is recognised. */
export function kindOf(finding: string): string {
  return finding.replaceAll(/[\d.]+/g, '#').replace(/ \(.*\)/, '')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
