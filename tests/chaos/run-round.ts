/** One round: load, a fault or two in the midst of it, calm, and the verdict. */
import { setTimeout as pause } from 'node:timers/promises'
import { findDead, readBooks } from './books.ts'
import type { Begun, Fault } from './faults/fault.ts'
import type { Load } from './load-process.ts'
import type { Report, Status, Target } from './load/protocol.ts'
import { createRandom } from './random.ts'
import type { Round } from './schedule.ts'
import { judge, type RoundResult } from './verdict.ts'
import type { Watch } from './watch.ts'
import type { World } from './world.ts'

export interface Form {
  name: 'long' | 'short' | 'quick'
  perSecond: number
  /** Load before the fault and after it. */
  beforeMs: number
  afterMs: number
}

export interface Scene {
  world: World
  load: Load
  targets: Target[]
  watch: Watch
  form: Form
}

/** From when on the bound of 30 s is surely broken, it is only waited to tell late from lost. */
const GIVE_UP_MS = 150_000
const ASK_MS = 250
/** What was recorded last may still be moving; a lease that was left behind ends in 10 s, and 10 s later it is overdue. */
const BOOKS_MS = 30_000
/** `/health` gives a store 3 s before it says that it is down. */
const HEALTH_AFTER_MS = 4_000

export async function runRound(round: Round, scene: Scene): Promise<RoundResult> {
  const { world, load, watch, form } = scene
  const random = createRandom(round.seed)
  await begin(round, scene)
  await pause(form.beforeMs)

  const faultAt = Date.now()
  const begun: Begun[] = []
  const wrong: string[] = []
  for (const fault of round.faults) {
    const one = await fault.begin(world, random)
    watch.excuse(one.victims)
    begun.push(one)
  }
  await load.tell({ type: 'phase', phase: 'fault' })
  wrong.push(...(await hold(round.faults, scene)))
  await load.tell({ type: 'phase', phase: 'after' })
  for (const one of begun.toReversed()) await one.end()
  const faultEndAt = Date.now()
  await load.tell({ type: 'mood', bad: false })

  await pause(form.afterMs)
  await load.tell({ type: 'stop-sending' })
  const status = await calm(scene, faultEndAt)
  const report = await load.report()
  await load.tell({ type: 'end' })
  const dead = new Set(await findDead(world.pool, status.outstanding))
  const lost = status.outstanding.filter((id) => !dead.has(id))
  wrong.push(...watch.wrong, ...(await eventuallyWell(() => watch.healthIs([]), BOOKS_MS)))
  const books = await eventuallyWell(() => readBooks(world.pool, report.accepted), BOOKS_MS)
  const memoryMb = watch.memory()
  const silent = begun.some((one) => one.silent === true)
  const seen = { report, lost, faultAt, faultEndAt, lateAt: status.lateAt, books, memoryMb, silent }
  return {
    number: round.number,
    faults: round.faults.map(({ name }) => name).join(' + '),
    detail: begun
      .map(({ detail }) => detail)
      .filter(Boolean)
      .join('; '),
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
    wrong: judge(round.faults, { ...seen, watched: wrong }, form.name !== 'quick'),
  }
}

async function begin(round: Round, { world, load, targets, watch, form }: Scene): Promise<void> {
  watch.settled()
  await load.tell({
    type: 'begin',
    round: `r${round.number}-${Date.now().toString(36)}`,
    url: world.url,
    apiKey: world.apiKey,
    targets,
    perSecond: form.perSecond,
  })
}

function countRefused({ phases }: Report): number {
  return Object.values(phases).reduce((sum, one) => sum + one.unavailable + one.noAnswer, 0)
}

/** @returns what `/health` said wrongly meanwhile */
async function hold(faults: readonly Fault[], { watch, form }: Scene): Promise<string[]> {
  const holdMs = Math.max(
    ...faults.map(({ holdMs: held }) => (form.name === 'long' ? held.long : held.short)),
  )
  const [only] = faults
  if (faults.length > 1 || only?.down === undefined || holdMs <= HEALTH_AFTER_MS) {
    await pause(holdMs)
    return []
  }
  const startedAt = performance.now()
  await pause(HEALTH_AFTER_MS)
  const wrong = await watch.healthIs([only.down])
  await pause(Math.max(0, startedAt + holdMs - performance.now()))
  return wrong
}

/** Waits until all that was accepted has arrived or is dead. */
async function calm({ world, load }: Scene, faultEndAt: number): Promise<Status> {
  for (;;) {
    const status = await load.status()
    if (status.outstanding.length === 0 && status.open === 0) return status
    if (Date.now() - faultEndAt > GIVE_UP_MS) return status
    const ids = await findDead(world.pool, status.outstanding).catch(() => [])
    if (ids.length > 0) await load.tell({ type: 'dead', ids })
    else await pause(ASK_MS)
  }
}

async function eventuallyWell(look: () => Promise<string[]>, withinMs: number): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const wrong = await look()
    if (wrong.length === 0 || performance.now() > deadline) return wrong
    await pause(ASK_MS)
  }
}
