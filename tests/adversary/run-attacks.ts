/**
 * Runs attacks one after the other and evaluates what the observer saw meanwhile. A dose with
 * findings is sent twice more, and only what is found each time counts, because a busy machine or a
 * garbage collection may cause one. The machine's speed is measured again before each of these,
 * because it may have become slower since. What the product does without an attack is not: it may
 * still do what an attack left it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { measureMachineFactor } from '@posthorn/testing/machine-factor'
import type { Arena } from './arena.ts'
import type { Attack, Dose } from './attack.ts'
import { createSeededRandom } from './seeded-random.ts'
import { evaluateDose, kindOf, type MachineSpeed, type DoseMeasurement } from './evaluate-dose.ts'

export interface AttackResult {
  name: string
  effect: string
  findings: readonly string[]
  measured: DoseMeasurement
}

export interface RunOptions {
  seed: number
  /** How many more times a finding must be found. */
  repeats: number
  /** By how much more than by its speed alone the machine is taken for a slow one. */
  slack: number
  onResult(result: AttackResult): void
}

const IDLE_MS = 1_500
/** The time after a dose, so that what it left behind is measured with it. */
const SETTLE_MS = 200
/** Events of the neighbour that wait for longer behind a dose are lost. */
const DELIVERY_MS = 15_000
const TOLD_FROM_MS = 90
const TOLD_MS = 1_700

export async function measureMachine(arena: Arena): Promise<MachineSpeed> {
  await pause(SETTLE_MS)
  arena.observer.begin()
  await pause(IDLE_MS)
  const idle = await arena.observer.end(DELIVERY_MS)
  return { factor: measureMachineFactor(), idle }
}

export async function runAttacks(
  arena: Arena,
  machine: MachineSpeed,
  attacks: readonly Attack[],
  { seed, repeats, slack, onResult }: RunOptions,
): Promise<AttackResult[]> {
  const withFactor = (factor: number) => ({ ...machine, factor: slack * factor })
  const results: AttackResult[] = []
  for (const one of attacks) {
    const dose = await one.prepare(arena, createSeededRandom(seed))
    let measured = await measure(arena, dose)
    let findings = evaluateDose(measured, withFactor(machine.factor), one.maxMiB)
    for (let again = 0; again < repeats && findings.length > 0; again += 1) {
      const factor = Math.max(machine.factor, measureMachineFactor())
      measured = await measure(arena, dose)
      const now = evaluateDose(measured, withFactor(factor), one.maxMiB)
      const before = new Set(findings.map(kindOf))
      findings = now.filter((finding) => before.has(kindOf(finding)))
    }
    const result = { name: one.name, effect: one.effect, findings, measured }
    results.push(result)
    onResult(result)
  }
  return results
}

async function measure(arena: Arena, dose: Dose): Promise<DoseMeasurement> {
  arena.stalls()
  const before = arena.residentMiB()
  arena.observer.begin()
  await pause(SETTLE_MS)
  const problems = (await dose()) ?? []
  await pause(SETTLE_MS)
  const observed = await arena.observer.end(DELIVERY_MS)
  // The product's log is flushed after half a second, and a stall that nothing follows is reported
  // after a second.
  if (observed.stallMs > TOLD_FROM_MS) await pause(TOLD_MS)
  const stalls = arena.stalls().map(({ at, seconds }) => `${at} ${seconds.toFixed(1)} s`)
  return { ...observed, problems, grownMiB: arena.residentMiB() - before, stalls }
}
