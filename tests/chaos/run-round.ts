/** One round: load, one or two faults in the middle of it, quiet, and the evaluation. */
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@posthorn/testing/eventually'
import { findDead, checkStore } from './check-store.ts'
import type { InjectedFault, Fault } from './faults/fault.ts'
import type { LoadProcess } from './load-process.ts'
import type { LoadReport, LoadStatus, Target } from './load/protocol.ts'
import { createSeededRandom } from './seeded-random.ts'
import type { Round } from './schedule.ts'
import { evaluateRound, type RoundObservations, type RoundResult } from './evaluate-round.ts'
import type { ProcessWatch } from './watch.ts'
import type { World } from './world.ts'

export interface RoundForm {
  name: 'long' | 'short' | 'quick'
  perSecond: number
  /** How long the load runs before the fault and after it. */
  beforeMs: number
  afterMs: number
}

export interface RoundContext {
  world: World
  load: LoadProcess
  targets: Target[]
  watch: ProcessWatch
  form: RoundForm
}

/**
 * Long past the bound of 30 s; it only distinguishes events that are late from events that are
 * lost.
 */
const GIVE_UP_MS = 150_000
const ASK_MS = 250
/**
 * What was recorded last may still be changing, and an abandoned lease ends in 10 s and is overdue
 * 10 s later.
 */
const STORE_CHECK_MS = 30_000
const STARTED_MS = 60_000
/** `/health` gives a store 3 s before it says that it is down. */
const HEALTH_AFTER_MS = 4_000

export async function runRound(round: Round, scene: RoundContext): Promise<RoundResult> {
  const { world, load, watch, form } = scene
  const random = createSeededRandom(round.seed)
  await begin(round, scene)
  await pause(form.beforeMs)

  const faultAt = Date.now()
  const injected: InjectedFault[] = []
  const problems: string[] = []
  for (const fault of round.faults) {
    const one = await fault.inject(world, random)
    watch.excuse(one.victims)
    injected.push(one)
  }
  await load.send({ type: 'phase', phase: 'fault' })
  problems.push(...(await waitOutFault(round.faults, scene)))
  await load.send({ type: 'phase', phase: 'after' })
  for (const one of injected.toReversed()) await one.end()
  const faultEndAt = Date.now()
  await load.send({ type: 'misbehave', on: false })

  await pause(form.afterMs)
  await load.send({ type: 'stop-sending' })
  const status = await waitUntilSettled(scene, faultEndAt)
  const report = await load.report()
  await load.send({ type: 'end' })
  const dead = new Set(await findDead(world.pool, status.outstanding))
  const lost = status.outstanding.filter((id) => !dead.has(id))
  problems.push(
    ...watch.problems,
    ...(await eventuallyNoProblems(() => watch.healthIs([]), STORE_CHECK_MS)),
  )
  const storeProblems = await eventuallyNoProblems(
    () => checkStore(world.pool, report.accepted),
    STORE_CHECK_MS,
  )
  const memoryMb = watch.peakMemoryMb()
  const isPostgresSilent = injected.some((one) => one.isPostgresSilent === true)
  const takeoverMs = round.faults.length === 1 ? injected[0]?.takeoverMs : undefined
  const observations = {
    report,
    takeoverMs,
    lost,
    faultAt,
    faultEndAt,
    lateAt: status.lateAt,
    storeProblems,
    memoryMb,
    isPostgresSilent,
  }
  const roundProblems = evaluateRound(
    round.faults,
    { ...observations, watchProblems: problems },
    form.name !== 'quick',
  )
  const details = injected.map(({ detail }) => detail).filter(Boolean)
  return resultOf(round, scene, observations, status, { details, problems: roundProblems })
}

function resultOf(
  round: Round,
  { world, form }: RoundContext,
  observations: Omit<RoundObservations, 'watchProblems'>,
  status: LoadStatus,
  { details, problems }: { details: readonly string[]; problems: string[] },
): RoundResult {
  const { report, lost, faultEndAt, memoryMb } = observations
  return {
    number: round.number,
    faults: round.faults.map(({ name }) => name).join(' + '),
    detail: details.join('; '),
    mode: world.mode,
    form: form.name,
    perSecond: form.perSecond,
    seed: round.seed,
    accepted: report.accepted.length,
    refused: countRefused(report),
    lost: lost.length,
    repeated: report.repeats.length,
    outOfOrder: report.outOfOrder.length,
    acceptGapMs: report.acceptGapMs,
    arrivalGapMs: report.arrivalGapMs,
    slowestAnswerMs: report.slowestAnswerMs,
    healMs: Math.max(0, status.lateAt - faultEndAt),
    healMsBy: Object.fromEntries(
      status.lateAtBy.map(([kind, at]) => [kind, Math.max(0, at - faultEndAt)]),
    ),
    memoryMb: Math.max(...Object.values(memoryMb)),
    problems,
  }
}

async function begin(
  round: Round,
  { world, load, targets, watch, form }: RoundContext,
): Promise<void> {
  await eventually(() => areUp(world), { timeoutMs: STARTED_MS })
  watch.reset()
  await load.send({
    type: 'begin',
    round: `r${round.number}-${Date.now().toString(36)}`,
    url: world.url,
    apiKey: world.apiKey,
    targets,
    perSecond: form.perSecond,
  })
}

function countRefused({ phases }: LoadReport): number {
  return Object.values(phases).reduce((sum, one) => sum + one.unavailable + one.noAnswer, 0)
}

/** @returns what `/health` said wrongly meanwhile */
async function waitOutFault(
  faults: readonly Fault[],
  { watch, form }: RoundContext,
): Promise<string[]> {
  const forMs = Math.max(
    ...faults.map(({ durationMs }) => (form.name === 'long' ? durationMs.long : durationMs.short)),
  )
  const [only] = faults
  if (faults.length > 1 || only?.down === undefined || forMs <= HEALTH_AFTER_MS) {
    await pause(forMs)
    return []
  }
  const startedAt = performance.now()
  await pause(HEALTH_AFTER_MS)
  const problems = await watch.healthIs([only.down])
  await pause(Math.max(0, startedAt + forMs - performance.now()))
  return problems
}

/** Waits until everything that was accepted has arrived or is dead. */
async function waitUntilSettled(
  { world, load }: RoundContext,
  faultEndAt: number,
): Promise<LoadStatus> {
  for (;;) {
    const status = await load.status()
    if (status.outstanding.length === 0 && status.open === 0) return status
    if (Date.now() - faultEndAt > GIVE_UP_MS) return status
    const ids = await findDead(world.pool, status.outstanding).catch(() => [])
    if (ids.length > 0) await load.send({ type: 'dead', ids })
    else await pause(ASK_MS)
  }
}

async function eventuallyNoProblems(
  look: () => Promise<string[]>,
  withinMs: number,
): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const problems = await look()
    if (problems.length === 0 || performance.now() > deadline) return problems
    await pause(ASK_MS)
  }
}

/**
 * One that was killed in the round before, or taken over, is started again, which may take longer
 * than the others need to do all its work.
 */
async function areUp({ mode, processes }: World): Promise<void> {
  const path = mode === 'standby' ? '/live' : '/ready'
  for (const { name, port } of processes) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`)
    if (status !== 200) throw new Error(`${name}${path}: ${status}`)
  }
}
