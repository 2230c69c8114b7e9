/**
 * One run: the services of a seed's plan on virtual time, the faults that are injected, and what
 * the checks find.
 */
import { newId } from '@posthorn/domain/ids'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'
import { createCustomers } from './customers.ts'
import { checkRemoval, checkRows, findUnfinished } from './check-rows.ts'
import { checkTokens } from './check-tokens.ts'
import { createOperationalEventChecker } from './check-operational-events.ts'
import { createSendChecker, createFaultLog, checkEnd } from './check-sends.ts'
import { createDatabase, type Change, type Database } from './model/database.ts'
import type { Guard } from './model/guards.ts'
import { asksForService } from './model/operational.ts'
import { createModelPools } from './model/pool.ts'
import type { DeliveryRow, DueRow, EndpointRow, LaneRow, TenantRow } from './model/rows.ts'
import { createFaultInjection } from './fault-injection.ts'
import { drawPlan, type Plan } from './plan.ts'
import { createProcesses, PROCESS_COUNT } from './processes.ts'
import { type Arrival, createSimulatedEndpoints, type Reply } from './simulated-endpoints.ts'
import { createRetention } from './retention.ts'
import { createSharedState } from './shared-state.ts'
import { createSimulatedBus, type SimulatedBus } from './bus.ts'
import { createVirtualTime, EPOCH_MS, type Owner } from './virtual-time.ts'

export interface SimulationResult {
  seed: number
  /** Empty when everything held. */
  violations: string[]
  steps: number
  /** In virtual time. */
  durationMs: number
  arrivals: number
  /** Arrivals of attempts that had arrived before. */
  repeats: number
  faults: number
  /** The steps of the run; empty without `trace`. */
  lines: string[]
}

export interface SimulationConfig {
  seed: number
  /** Names of guards that are removed. */
  without: ReadonlySet<string>
  trace: boolean
}

/**
 * The longest that anything waits by itself: the lease of a probe whose process was frozen, 70 s,
 * and what follows it.
 */
const MUST_END_WITHIN_MS = 90_000
const LOOK_EVERY_MS = 200
/**
 * For how long a dispatcher may not know of a circuit's change: it reads four times a second and
 * trusts what is up to 750 ms old.
 */
const UNHEARD_MS = 3_000
/** Log lines of the minutely repair. A correct run never gives it anything to do. */
/** Statements of retention, which remove rows. */
const REMOVALS = /^(drop-partition|delete-events)/
const REPAIRED = ['scheduler.backlogs-mended', 'scheduler.lanes-mended']

export async function simulate({
  seed,
  without,
  trace,
}: SimulationConfig): Promise<SimulationResult> {
  const random = createSeededRandom(seed)
  const plan = drawPlan(random)
  const [violations, lines]: [string[], string[]] = [[], []]
  const time = createVirtualTime((ms) => lateBy(ms, plan, random))
  const tell = (who: string, what: string): void => {
    if (trace) lines.push(`${time.now().toFixed(3).padStart(10)} ${who.padEnd(14)} ${what}`)
  }
  const violated = (what: string): void => {
    tell('WRONG', what)
    if (violations.length < 5) violations.push(what)
  }
  const isCalm = (): boolean => time.now() >= plan.calmAt

  const database = createDatabase(without as ReadonlySet<Guard>)
  const troubles = createFaultLog(time)
  const [replayed, edited] = [new Set<string>(), new Set<string>()]
  /** Ids of the events and deliveries that retention removed. */
  const removed = new Set<string>()
  const paused = new Map<string, number>()
  const accepted: string[] = []
  const misfortune = createFaultInjection(plan, { time, random, troubles, tell, isCalm })

  const toldJudge = createOperationalEventChecker(database, violated)
  const pools = createModelPools({
    time,
    database,
    fateOf: misfortune.fateOfStatement,
    onCommit(owner, name, { changes, rows }) {
      if (changes.length === 0 && rows.length === 0) return
      tell(owner.name, `${name}: ${rows.length} rows; ${changes.map(shortly).join(', ')}`)
      for (const { table, key, after } of changes) {
        if (table === 'deliveries' && isReplay(changes, key)) replayed.add(key)
        if (table === 'deliveries' && ((after as DeliveryRow | undefined)?.edition ?? 0) > 0)
          edited.add(key)
        if (table !== 'endpoints') continue
        if ((after as EndpointRow | undefined)?.status === 'paused') paused.set(key, time.now())
        else paused.delete(key)
      }
      const judgeChanges = REMOVALS.test(name) ? checkRemoval : checkRows
      judgeChanges(database, changes, removed, violated)
      toldJudge.onCommit(changes)
    },
    onStatement: (name, changes, values) => checkTokens(database, name, values, changes, violated),
    onTrouble: troubles.add,
  })
  const bus = createSimulatedBus({
    time,
    random,
    copiesOf: () => copiesOf(plan, random, isCalm()),
    isDown: misfortune.isBusDown,
    onStep: misfortune.onStep,
    violated,
  })
  const shared = createSharedState({ time, fateOf: misfortune.fateOfStateCall, without })

  const [tenantId, projectId] = [newId(), newId()]
  database.tables.tenants.set(tenantId, { id: tenantId, configVersion: 1 } satisfies TenantRow)
  const endpoints = plan.endpoints.map((config): EndpointRow => {
    const id = newId()
    const row = { tenantId, id, projectId, config, version: 1, isDeleted: false }
    database.tables.endpoints.set(id, { ...row, status: 'active' })
    return { ...row, status: 'active' }
  })
  const judge = createSendChecker({
    time,
    database,
    faultLog: troubles,
    wasReplayed: (id) => replayed.has(id),
    wasEdited: (id) => edited.has(id),
    wasRemoved: (id) => removed.has(id),
    circuitOf: shared.circuitOf,
    hasCircuit: (id) => endpoints.some((one) => one.id === id && one.config.circuitThreshold > 0),
    pausedAt: (id) => paused.get(id),
    unheardMs: UNHEARD_MS,
    violated,
  })
  const receiver = createSimulatedEndpoints({
    time,
    replyTo: () => drawReply(plan, random, isCalm()),
    onStep: misfortune.onStep,
    onSend: judge.onSend,
    onArrival(arrival) {
      const { owner, deliveryId, attemptNumber, statusCode } = arrival
      tell(owner.name, `attempt ${attemptNumber} of ${deliveryId} arrives, answered ${statusCode}`)
      judge.onArrival(arrival)
    },
  })
  const processes = createProcesses({
    time,
    poolOf: pools.poolOf,
    busOf: bus.busOf,
    stateOf: shared.stateOf,
    egressOf: receiver,
    random: random.next,
    skewOf: (place) => plan.skews[place] ?? 0,
    log(owner, name, fields) {
      if (trace) tell(owner.name, `${name} ${textOf(fields)}`)
      if (REPAIRED.includes(name)) violated(`${name}: a repair found something`)
    },
  })
  const outside: Owner = { name: 'customers', isAlive: true, frozenUntil: 0, skewMs: 0 }
  misfortune.begin({ pools, bus, shared, processes, senders: outside })
  for (let place = 0; place < PROCESS_COUNT; place += 1) processes.start(place)

  const customers = createCustomers({
    pool: pools.poolOf(outside),
    bus: bus.busOf(outside),
    state: shared.stateOf(outside),
    tenantId,
    projectId,
    endpointIds: endpoints.map(({ id }) => id),
    pause: (ms) => new Promise((resolve) => void time.at(outside, time.now() + ms, resolve)),
    isRetrying: (id) => isRetrying(database, judge.arrivals, id),
    retain: createRetention({ time, pools, tell }),
    accepted: (id) => void accepted.push(id),
  })
  let acting = plan.events.length + plan.deeds.length
  const acted = (): void => void (acting -= 1)
  for (const event of plan.events)
    time.at(outside, event.at, () => void customers.send(event).finally(acted))
  for (const deed of plan.deeds)
    time.at(outside, deed.at, () => void customers.act(deed).finally(acted))

  let isOver = false
  /**
   * Some runs go on until the last lease has ended, because a repeated announcement may still
   * arrive then.
   */
  const endless = random.happens(0.1)
  let quietSince = Infinity
  function look(): void {
    const isQuiet = isCalm() && acting === 0 && findUnfinished(database).length === 0
    quietSince = isQuiet ? Math.min(quietSince, time.now()) : Infinity
    if (time.now() - quietSince >= (endless ? 12_000 : 300)) isOver = true
    else if (time.now() > plan.calmAt + MUST_END_WITHIN_MS) {
      isOver = true
      for (const left of findUnfinished(database)) violated(`${left}, and nothing becomes of it`)
    } else time.at(null, time.now() + LOOK_EVERY_MS, look)
  }
  look()
  await time.run(() => isOver || violations.length > 0)
  if (violations.length === 0) {
    const sent = { accepted, sent: plan.events.length, endpoints: reached(plan), removed }
    checkEnd(database, judge.arrivals, sent, violated)
    toldJudge.onEnd()
    if (endless) checkLag(bus, violated)
  }

  const tries = new Set(judge.arrivals.map((one) => `${one.deliveryId} ${one.attemptNumber}`))
  return {
    seed,
    violations: violations.map(shorten(lines)),
    steps: time.steps(),
    durationMs: time.now(),
    arrivals: judge.arrivals.length,
    repeats: judge.arrivals.length - tries.size,
    faults: misfortune.count(),
    lines: trace ? lines.map(shorten(lines)) : [],
  }
}

/** To how many endpoints each event by type goes; null when one was deleted meanwhile. */
function reached({ deeds, endpoints }: Plan): number | null {
  if (deeds.some(({ deed }) => deed === 'delete')) return null
  return endpoints.filter(({ eventTypes }) => !asksForService(eventTypes)).length
}

/** Whether an attempt that is not the event's first is still unanswered. */
function isRetrying(database: Database, arrivals: readonly Arrival[], eventId: string): boolean {
  return arrivals.some(({ deliveryId, attemptNumber, answeredAt }) => {
    const row = database.tables.deliveries.get(deliveryId) as DeliveryRow
    return attemptNumber > 1 && answeredAt === null && row.eventId === eventId
  })
}

/** Long after the end of a run every message on the bus must be finished. */
function checkLag(bus: SimulatedBus, violated: (what: string) => void): void {
  for (const { group, topic, messages } of bus.lag())
    if (messages > 0) violated(`${group} has not done ${messages} messages of ${topic}`)
}

/**
 * Timers of a busy machine: never early, rounded up to the plan's step, and a little later still.
 */
function lateBy(ms: number, { timerMs }: Plan, random: SeededRandom): number {
  if (ms < 1) return ms
  return Math.ceil(ms / timerMs) * timerMs + random.next() * 5
}

/** How late the copies of a message come. The list may be empty or have several. */
function copiesOf(
  { messageFaultRate: astray }: Plan,
  random: SeededRandom,
  isCalm: boolean,
): number[] {
  const soon = (): number => random.between(0.1, 10)
  if (isCalm || !random.happens(astray)) return [soon()]
  const late = (): number => random.pick([500, 3_000, 9_000, 11_000]) * random.next()
  return random.pick([[], [soon(), soon()], [soon(), late()], [late()], [late(), late()]])
}

function drawReply(
  { failureRate: failing, slowRate: slow }: Plan,
  random: SeededRandom,
  isCalm: boolean,
): Reply {
  if (isCalm) return { connectMs: 1, answerMs: random.between(1, 50), statusCode: 200 }
  const isSlow = random.happens(slow)
  return {
    connectMs: isSlow && random.happens(0.3) ? random.between(5, 11_000) : random.between(0.1, 5),
    answerMs: isSlow ? random.pick([500, 1_500, 6_000, 12_000]) : random.between(1, 100),
    statusCode: random.happens(failing) ? random.pick([500, 500, 0, 404]) : 200,
  }
}

/** Whether the change is a replay: no other statement makes a delivery queued again. */
function isReplay(changes: readonly Change[], key: string): boolean {
  const change = changes.find((one) => one.table === 'deliveries' && one.key === key)
  const [before, after] = [change?.before, change?.after] as {
    triesBefore?: number
    state?: number
  }[]
  if (before === undefined || after === undefined) return false
  return after.state === 0 && before.state !== 0
}

function shortly({ table, key, before, after }: Change): string {
  const what = before === undefined ? '+' : after === undefined ? '-' : ''
  const { state, dueAt, leased, head } = (after ?? {}) as Partial<DueRow & DeliveryRow & LaneRow>
  const more = [
    state === undefined ? '' : ` state ${state}`,
    typeof dueAt === 'number'
      ? ` at ${(dueAt / 1_000 - EPOCH_MS).toFixed(3)}${leased === true ? ' leased' : ''}`
      : '',
    head === undefined ? '' : ` head ${head}`,
  ].join('')
  return `${what}${table} ${key}${more}`
}

function textOf(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(
      ([key, value]) => value !== undefined && !['tenantId', 'projectId', 'traceId'].includes(key),
    )
    .map(([key, value]) => `${key}=${Error.isError(value) ? value.message : String(value)}`)
    .join(' ')
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * Writes ids as small numbers in the order of the trace, which is the same in each run of a seed.
 */
function shorten(lines: readonly string[]): (line: string) => string {
  const names = new Map<string, string>()
  for (const line of lines)
    for (const [id] of line.matchAll(UUID)) if (!names.has(id)) names.set(id, `#${names.size + 1}`)
  return (line) => line.replaceAll(UUID, (id) => names.get(id) ?? id)
}
