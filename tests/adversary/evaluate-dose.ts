/**
 * What of a dose is a finding. Bounds are the promise's (25 ms of the event loop at a time), times what this machine is
 * slower than an idle one, above what the product takes here without any attack.
 */
import type { Observed } from './observed.ts'

export interface DoseMeasurement extends Observed {
  /** What the product's memory grew by. */
  grownMiB: number
  /** What the attack itself found wrong. */
  problems: readonly string[]
  /** What the product's watchdog told: `<route or topic> <seconds>`. */
  stalls: readonly string[]
}

export interface MachineSpeed {
  /** 1 on the idle machine that the bounds were set on; more where the same work takes more processor time. */
  factor: number
  /** Of the product and its neighbour alone. */
  idle: Pick<Observed, 'stallMs' | 'p99Ms'>
}

const STALL_MS = 25
/** A heap that is let grow before it is collected is no leak. */
const GROWN_MIB = 160
/** Beside an attack, on a machine that other tests use too: what is stopped takes seconds. */
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
      `held the event loop for ${round(measured.stallMs)} ms of its processor time${by}; ${round(stallMs)} is allowed`,
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

/** Of a text, its numbers left out: what was found again is the same finding with other figures. */
export function kindOf(finding: string): string {
  return finding.replaceAll(/[\d.]+/g, '#').replace(/ \(.*\)/, '')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
