/**
 * One run: the services of a seed's plan on virtual time, the faults that are injected, and what
 * the checks find.
 */
import { newId } from '@posthorn/domain/ids'
import { createSeededRandom } from './seeded-random.ts'
import { createCustomers } from './customers.ts'
import { copiesOf, drawReply, lateBy } from './draw-delays.ts'
import { checkRemoval, checkRows, findUnfinished } from './check-rows.ts'
import { createRetentionCheck, listDays, isOldAndDead } from './check-retention.ts'
import { checkTokens } from './check-tokens.ts'
import { createOperationalEventChecker } from './check-operational-events.ts'
import { createSendChecker, createFaultLog, checkEnd } from './check-sends.ts'
import { createDatabase, type Change, type Database } from './model/database.ts'
import type { Guard } from './model/guards.ts'
import { asksForService } from './model/operational.ts'
import { createModelPools, type CompletedStatement } from './model/pool.ts'
import type { DeliveryRow, EndpointRow, TenantRow } from './model/rows.ts'
import { createFaultInjection } from './fault-injection.ts'
import { drawPlan, FANOUT_PROCESSES, type Plan, SET_BACK_MS } from './plan.ts'
import { createProcesses, PROCESS_COUNT } from './processes.ts'
import { type Arrival, createSimulatedEndpoints } from './simulated-endpoints.ts'
import { createRetention } from './retention.ts'
import { createSharedState } from './shared-state.ts'
import { createSimulatedBus, type SimulatedBus } from './bus.ts'
import { createTrace, shorten, shortly, textOf, type Trace } from './trace.ts'
import { createVirtualTime, EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

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
/** Mostly a day has been looked into by then, and is not taken out yet. */
const REPLAYED_WITHIN_MS = 4
const REPLAYS_OF_LOCKED = 3
/**
 * For how long a dispatcher may not know of a circuit's change: it reads four times a second and
 * trusts what is up to 750 ms old.
 */
const UNHEARD_MS = 3_000
/** Statements of retention, which remove rows. */
const REMOVALS = /^(COMMIT of )?(drop-partition|delete-events)/
const DAY_MS = 86_400_000
/** It is sent while retention looks into a day. */
const LATE_EVENT: Plan['events'][number] = {
  at: 0,
  isDirect: false,
  lane: 0,
  priority: 5,
  maxAttempts: 2,
}
/** Log lines of the minutely repair. A correct run never gives it anything to do. */
const REPAIRED = ['scheduler.backlogs-repaired', 'scheduler.lanes-repaired']

/** Checks the rows after each commit, and remembers what the checks of sends have to know. */
function createCommitChecks(database: Database, time: VirtualTime, { tell, violated }: Trace) {
  const [replayed, edited] = [new Set<string>(), new Set<string>()]
  /** Ids of the events and deliveries that retention removed. */
  const removed = new Set<string>()
  const paused = new Map<string, number>()
  let onDayLocked: (day: number) => void = () => {}
  const onLocked = (day: number): void => onDayLocked(day)
  const retention = createRetentionCheck({ database, violated, onLocked })
  const operational = createOperationalEventChecker(
    database,
    () => (EPOCH_MS + time.now()) * 1_000,
    violated,
  )

  function remember(changes: readonly Change[]): void {
    for (const { table, key, after } of changes) {
      if (table === 'deliveries' && isReplay(changes, key)) replayed.add(key)
      if (table === 'deliveries' && ((after as DeliveryRow | undefined)?.edition ?? 0) > 0)
        edited.add(key)
      if (table !== 'endpoints') continue
      if ((after as EndpointRow | undefined)?.status === 'paused') paused.set(key, time.now())
      else paused.delete(key)
    }
  }

  return {
    removed,
    known: {
      wasReplayed: (id: string) => replayed.has(id),
      wasEdited: (id: string) => edited.has(id),
      wasRemoved: (id: string) => removed.has(id),
      pausedAt: (id: string) => paused.get(id),
    },
    whenDayLocked: (callback: (day: number) => void) => void (onDayLocked = callback),
    onCommit(owner: Owner, name: string, done: CompletedStatement): void {
      const { changes, rows } = done
      retention.onCommit(name, done)
      if (changes.length === 0 && rows.length === 0) return
      tell(owner.name, `${name}: ${rows.length} rows; ${changes.map(shortly).join(', ')}`)
      remember(changes)
      const checkChanges = REMOVALS.test(name) ? checkRemoval : checkRows
      checkChanges(database, changes, removed, violated)
      operational.onCommit(changes)
    },
    onEnd: operational.onEnd,
  }
}

/** Puts the plan's endpoints into the database, under a tenant. */
function addEndpoints(database: Database, plan: Plan) {
  const [tenantId, projectId] = [newId(), newId()]
  database.tables.tenants.set(tenantId, {
    id: tenantId,
    configVersion: 1,
    changedIn: 0,
  } satisfies TenantRow)
  const endpoints = plan.endpoints.map((config): EndpointRow => {
    const id = newId()
    const row = { tenantId, id, projectId, config, version: 1, isDeleted: false }
    database.tables.endpoints.set(id, { ...row, status: 'active' })
    return { ...row, status: 'active' }
  })
  return { tenantId, projectId, endpoints }
}

export async function simulate(config: SimulationConfig): Promise<SimulationResult> {
  const run = createRun(config)
  const { time, plan, trace, sends, injection } = run
  const acting = startCustomers(run)
  let isOver = false
  /**
   * Some runs go on until the last lease has ended, because a repeated announcement may still
   * arrive then.
   */
  const isEndless = run.random.happens(0.1)
  let quietSince = Infinity
  function look(): void {
    const isQuiet = run.isCalm() && acting() === 0 && findUnfinished(run.database).length === 0
    quietSince = isQuiet ? Math.min(quietSince, time.now()) : Infinity
    // A statement that a fault delays may outlast the quiet, and its message is done only after it.
    const since = isEndless ? Math.max(quietSince, injection.lastsUntil()) : quietSince
    if (time.now() - since >= (isEndless ? 12_000 : 300)) isOver = true
    else if (time.now() > plan.calmAt + MUST_END_WITHIN_MS) {
      isOver = true
      for (const left of findUnfinished(run.database))
        trace.violated(`${left}, and nothing becomes of it`)
    } else time.at(null, time.now() + LOOK_EVERY_MS, look)
  }
  look()
  await time.run(() => isOver || trace.violations.length > 0)
  if (trace.violations.length === 0) checkEndOfRun(run, isEndless)

  const attempts = new Set(sends.arrivals.map((one) => `${one.deliveryId} ${one.attemptNumber}`))
  return {
    seed: config.seed,
    violations: trace.violations.map(shorten(trace.lines)),
    steps: time.steps(),
    durationMs: time.now(),
    arrivals: sends.arrivals.length,
    repeats: sends.arrivals.length - attempts.size,
    faults: injection.count(),
    lines: config.trace ? trace.lines.map(shorten(trace.lines)) : [],
  }
}

type Run = ReturnType<typeof createRun>

/** The services on virtual time, with everything that they reach replaced by the simulation. */
function createRun({ seed, without, trace: isTraced }: SimulationConfig) {
  const random = createSeededRandom(seed)
  const plan = drawPlan(random)
  const time = createVirtualTime((ms) => lateBy(ms, plan, random))
  const trace = createTrace(isTraced, time)
  const { tell, violated } = trace
  const isCalm = (): boolean => time.now() >= plan.calmAt
  const database = createDatabase(without as ReadonlySet<Guard>)
  const faultLog = createFaultLog(time)
  const injection = createFaultInjection(plan, { time, random, faultLog, tell, isCalm })
  const commits = createCommitChecks(database, time, trace)
  const pools = createModelPools({
    time,
    database,
    fateOf: injection.fateOfStatement,
    onCommit: commits.onCommit,
    onStatement: (name, changes, values) => checkTokens(database, name, values, changes, violated),
    onTrouble: faultLog.add,
  })
  const bus = createSimulatedBus({
    time,
    random,
    copiesOf: () => copiesOf(plan, random, isCalm()),
    isDown: injection.isBusDown,
    onStep: injection.onStep,
    violated,
  })
  const shared = createSharedState({ time, fateOf: injection.fateOfStateCall, without })
  const { endpoints, ...tenant } = addEndpoints(database, plan)
  const sends = createSendChecker({
    ...commits.known,
    time,
    database,
    faultLog,
    circuitOf: shared.circuitOf,
    hasCircuit: (id) => endpoints.some((one) => one.id === id && one.config.circuitThreshold > 0),
    unheardMs: UNHEARD_MS,
    violated,
  })
  const egressOf = createSimulatedEndpoints({
    time,
    replyTo: () => drawReply(plan, random, isCalm()),
    onStep: injection.onStep,
    onSend: sends.onSend,
    onArrival(arrival) {
      const { owner, deliveryId, attemptNumber, statusCode } = arrival
      tell(owner.name, `attempt ${attemptNumber} of ${deliveryId} arrives, answered ${statusCode}`)
      sends.onArrival(arrival)
    },
  })
  const clients = { poolOf: pools.poolOf, busOf: bus.busOf, stateOf: shared.stateOf, egressOf }
  const accepted: string[] = []
  const sent = { count: plan.events.length }
  const world = { time, random, plan, trace, isCalm, database, injection, commits, accepted, sent }
  return { ...world, tenant, endpoints, pools, bus, shared, sends, clients }
}

/**
 * Starts the processes and the customers.
 * @returns how many of the customers' actions are not done
 */
function startCustomers(run: Run): () => number {
  const { time, plan, trace, pools, bus, shared, sends, clients, database } = run
  const processes = createProcesses({
    ...clients,
    time,
    random: run.random.next,
    skewOf: (place) => plan.skews[place] ?? 0,
    log(owner, name, fields) {
      trace.tell(owner.name, `${name} ${textOf(fields)}`)
      if (REPAIRED.includes(name)) trace.violated(`${name}: a repair found something`)
    },
  })
  const outside: Owner = { name: 'customers', isAlive: true, frozenUntil: 0, skewMs: 0 }
  run.injection.begin({ pools, bus, shared, processes, senders: outside })
  for (let place = 0; place < PROCESS_COUNT; place += 1) processes.start(place)

  const customers = createCustomers({
    ...run.tenant,
    pool: pools.poolOf(outside),
    bus: bus.busOf(outside),
    state: shared.stateOf(outside),
    endpointIds: run.endpoints.map(({ id }) => id),
    pause: (ms) => new Promise((resolve) => void time.at(outside, time.now() + ms, resolve)),
    isRetrying: (id) => isRetrying(database, sends.arrivals, id),
    isOfDay: (id, day) => listDays(database, id).includes(day),
    isOldAndDead: (id) => isOldAndDead(database, id),
    retain: createRetention({ time, pools, tell: trace.tell, violated: trace.violated }),
    accepted: (id) => void run.accepted.push(id),
  })
  let [acting, locked] = [plan.events.length + plan.actions.length, 0]
  const acted = (): void => void (acting -= 1)
  for (const event of plan.events)
    time.at(outside, event.at, () => void customers.send(event).finally(acted))
  for (const action of plan.actions)
    time.at(outside, action.at, () => void customers.act(action).finally(acted))
  // Drawing alone seldom hits the few moments in which retention looks into a day.
  run.commits.whenDayLocked((day) => {
    locked += 1
    if (locked === plan.sendsIntoLocked && !run.isCalm()) {
      acting += 1
      run.sent.count += 1
      setBackTo(run, day)
      const at = time.now() + run.random.between(0, SET_BACK_MS)
      time.at(outside, at, () => void customers.send(LATE_EVENT).finally(acted))
    }
    for (let replay = 0; replay < REPLAYS_OF_LOCKED; replay += 1) {
      acting += 1
      const at = time.now() + run.random.between(0, REPLAYED_WITHIN_MS)
      time.at(outside, at, () => void customers.replayOfDay(day).finally(acted))
    }
  })
  return () => acting
}

/** What is fanned out now gets ids of that day. */
function setBackTo({ injection }: Run, day: number): void {
  const byMs = (day - Math.floor(EPOCH_MS / DAY_MS)) * DAY_MS
  for (const process of FANOUT_PROCESSES)
    injection.applyTimed({ kind: 'clock steps', process, byMs, ms: SET_BACK_MS })
}

function checkEndOfRun(run: Run, isEndless: boolean): void {
  const { database, plan, sends, commits, trace } = run
  const expected = {
    accepted: run.accepted,
    sentCount: run.sent.count,
    endpointCount: reached(plan),
    removed: commits.removed,
  }
  checkEnd(database, sends.arrivals, expected, trace.violated)
  commits.onEnd()
  if (isEndless) checkLag(run.bus, trace.violated)
}

/** To how many endpoints each event by type goes; null when one was deleted meanwhile. */
function reached({ actions, endpoints }: Plan): number | null {
  if (actions.some(({ action }) => action === 'delete')) return null
  return endpoints.filter(({ eventTypes }) => !asksForService(eventTypes)).length
}

/** Whether an attempt that is not the event's first is still unanswered. */
function isRetrying(database: Database, arrivals: readonly Arrival[], eventId: string): boolean {
  return arrivals.some(({ deliveryId, attemptNumber, answeredAt }) => {
    // Retention may have removed it.
    const row = database.tables.deliveries.get(deliveryId) as DeliveryRow | undefined
    return attemptNumber > 1 && answeredAt === null && row?.eventId === eventId
  })
}

/** Long after the end of a run every message on the bus must be finished. */
function checkLag(bus: SimulatedBus, violated: (what: string) => void): void {
  for (const { group, topic, messages } of bus.lag())
    if (messages > 0) violated(`${group} has not done ${messages} messages of ${topic}`)
}

/** Whether the change is a replay: no other statement makes a delivery queued again. */
function isReplay(changes: readonly Change[], key: string): boolean {
  const change = changes.find((one) => one.table === 'deliveries' && one.key === key)
  const [before, after] = [change?.before, change?.after] as { state?: number }[]
  if (before === undefined || after === undefined) return false
  return after.state === 0 && before.state !== 0
}
