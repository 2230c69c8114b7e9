/**
 * Puts the dispatcher's rooms together. Each is given the records of functions of the rooms that it
 * calls, so that a call is followed by going to its definition. They are made from the bottom up; a
 * call that goes up, to a room that is made later, is one named function: see `CallsUp`.
 */
import type { Bus } from '@posthorn/bus/bus'
import { type Brand, deliveryHeaderNames } from '@posthorn/domain/brand'
import type { PlanName } from '@posthorn/domain/plans'
import type { Egress } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import { createTicker, type NextRound, type Ticker } from '@posthorn/async/ticker'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import type { StateStore } from '@posthorn/state/state-store'
import type { DatabaseClock } from '@posthorn/store/clock'
import type { Pool } from '@posthorn/store/pool'
import type { Tracing } from '@posthorn/runtime/tracing'
import type { UsageMeter } from '@posthorn/store/usage/usage-meter'
import type { Seal } from '@posthorn/store/seal'
import { createParkingWriter, type ParkingWriter } from './backlog/park-deliveries.ts'
import { type Backlogs, createBacklogs } from './backlog/serve-backlogs.ts'
import { type Configuration, createConfiguration } from './config/configuration.ts'
import { createInFlightSet, type InFlightSet } from './in-flight-set.ts'
import { type Admit, createAdmit } from './intake/admit.ts'
import { createRenewLeases, type RenewLeases } from './intake/renew-leases.ts'
import { createResolveOwnership } from './intake/resolve-ownership.ts'
import { createIntake, type Intake } from './intake/take-announced.ts'
import { createCongestionWatch } from './intake/watch-congestion.ts'
import { createMutex, type Mutex } from '@posthorn/async/mutex'
import { createDisableGone } from './record/disable-gone.ts'
import {
  createPublishOperationalEvents,
  type PublishOperationalEvents,
} from './record/publish-operational-events.ts'
import { createRecorder } from './record/record-results.ts'
import { createReportAttempt } from './record/report-attempt.ts'
import { type Circuits, createCircuits } from './schedule/circuits.ts'
import { createFairScheduler, type FairScheduler } from './schedule/fair-scheduler.ts'
import { createUtilization } from './schedule/throttle.ts'
import { createWindows, windowLimits, type Windows } from './schedule/windows.ts'
import { type Attempts, createAttempts } from './send/attempt-delivery.ts'
import { createPayloads } from './send/load-payload.ts'
import { createLoadScript, readScriptFrom } from './send/load-script.ts'
import { createSender, type Sender } from './send/send-attempt.ts'
import { createTransform } from './send/transform.ts'
import { bindStatements, type Statements } from './statements.ts'
import { createSink } from './storage/write-object.ts'

export interface DispatcherConfig {
  brand: Brand
  /** The service's own version, as in `User-Agent: Posthorn/<version>`. */
  version: string
  /** `STORAGE_DIR`: below it storage endpoints may write files. undefined: none may. */
  storageDir?: string | undefined
  /** `MAX_TRIES_IN_FLIGHT` */
  slots: number
  /** `DEFAULT_PLAN`: the plan of tenants without a subscription. */
  defaultPlan: PlanName
}

export interface DispatcherDeps {
  pool: Pool
  bus: Bus
  state: StateStore
  egress: Pick<Egress, 'send'>
  sandbox: Pick<Sandbox, 'run'>
  seal: Pick<Seal, 'open'>
  clock: Pick<DatabaseClock, 'now'>
  usage: Pick<UsageMeter, 'attemptRecorded'>
  log: Log
  metrics: Metrics
  tracing?: Tracing | undefined
  random?: () => number
}

/** The calls that go up, from a room to one that is made after it. */
interface CallsUp {
  admitReleased(...released: Parameters<Admit['released']>): void
  serveBacklogs: Backlogs['serve']
  probed: Backlogs['probed']
  slotResized: FairScheduler['slotResized']
  slotFreed: FairScheduler['slotFreed']
  pump: FairScheduler['pump']
  wakeIntake: Intake['wake']
}

export function createRooms(config: DispatcherConfig, deps: DispatcherDeps) {
  const { bus, state, log, metrics } = deps
  const inFlight = createInFlightSet()
  // One multi-row write at a time. Recording locks deliveries before `due`, marking attempts as
  // begun and renewing leases lock `due` first, and each meets rows of the others: at once they
  // would deadlock, and Postgres needs a second to see that. The mutex holds within this process;
  // over processes two rarely have the same delivery.
  const mutex = createMutex()
  const windows = createWindows(windowLimits(config.slots))
  const statements = bindStatements(deps.pool, () => void bus.announce('due.soon', [{ v: 1 }]))
  const databaseNow = deps.clock.now
  const common = { bus, state, inFlight, mutex, statements, metrics, log, now, databaseNow }
  const tickers = createTickers(log, () => rooms)
  const up: CallsUp = {
    admitReleased: (deliveries, askedAt) => void admit.released(deliveries, askedAt),
    serveBacklogs: (made) => backlogs.serve(made),
    probed: (endpointId) => backlogs.probed(endpointId),
    slotResized: (sending) => scheduler.slotResized(sending),
    slotFreed: (sending, at) => scheduler.slotFreed(sending, at),
    pump: () => scheduler.pump(),
    wakeIntake: () => intake.wake(),
  }

  const lower = createLowerRooms(config, deps, { ...common, windows }, tickers, up)
  const scheduler: FairScheduler = createFairScheduler({
    ...common,
    ...lower,
    windows,
    wakeIntake: up.wakeIntake,
    utilization: createUtilization(),
    ticker: tickers.scheduler,
  })
  const resolveOwnership = createResolveOwnership(common)
  const admit: Admit = createAdmit({ ...common, ...lower, scheduler, resolveOwnership })
  const backlogs: Backlogs = createBacklogs({ ...common, ...lower, scheduler, admit })
  const intake: Intake = createIntake({ admit, backlogs, scheduler, now, log })
  const leases = createRenewLeases({ ...common, backlogs })
  const congestion = createCongestionWatch({
    announce: (messages) => void bus.announce('flood.congested', messages),
    batchingDelayMs: bus.batchingDelayMs,
    now,
    databaseNow,
  })

  const upper = { scheduler, backlogs, intake, leases, congestion }
  const rooms = { ...lower, ...upper, inFlight, mutex, windows, statements }
  return { ...rooms, tickers: Object.values(tickers) }
}

interface Common {
  bus: Bus
  state: StateStore
  inFlight: InFlightSet
  mutex: Mutex
  windows: Windows
  statements: Statements
  metrics: Metrics
  log: Log
  now(): number
  databaseNow(): number
}

function createLowerRooms(
  config: DispatcherConfig,
  deps: DispatcherDeps,
  common: Common,
  tickers: ReturnType<typeof createTickers>,
  { admitReleased, serveBacklogs, probed, slotResized, slotFreed, pump, wakeIntake }: CallsUp,
) {
  const { statements, log, metrics, databaseNow } = common
  const names = deliveryHeaderNames(config.brand)
  const { pool, seal } = deps
  const { defaultPlan } = config
  const configuration = createConfiguration({ pool, seal, names, defaultPlan })
  const operationalEvents = createPublishOperationalEvents({ ...common, configuration })
  const circuits = createCircuits({
    ...common,
    configuration,
    operationalEvents,
    probed,
    ticker: tickers.circuits,
  })
  const parking = createParkingWriter({
    ...common,
    circuits,
    admitReleased,
    serveBacklogs,
    capacityFreed: wakeIntake,
    ticker: tickers.scheduler,
  })
  const recorder = createRecorder({
    ...common,
    circuits,
    reportAttempt: createReportAttempt(log, metrics, databaseNow, deps.usage, deps.tracing),
    disableGone: createDisableGone({ ...common, configuration }),
    admitReleased,
    capacityFreed() {
      pump()
      wakeIntake()
    },
    random: deps.random ?? Math.random,
  })
  const attempts = createAttempts({
    ...common,
    configuration,
    circuits,
    sender: openSender(config, deps, statements),
    recorder,
    parking,
    slotResized,
    slotFreed,
    ticker: tickers.attempts,
  })
  return { configuration, operationalEvents, circuits, parking, recorder, attempts }
}

function now(): number {
  return performance.now()
}

/** The network, the sandbox and the stores as an attempt meets them. */
function openSender(
  { brand, version, storageDir }: DispatcherConfig,
  { pool, egress, sandbox, clock, log, tracing }: DispatcherDeps,
  statements: Pick<Statements, 'loadPayloads'>,
): Sender {
  const userAgent = `Posthorn/${version}`
  const loadScript = createLoadScript({ readScript: readScriptFrom(pool) })
  return createSender(
    { names: deliveryHeaderNames(brand), userAgent },
    {
      egress,
      payloads: createPayloads({ statements, databaseNow: clock.now }),
      writeObject: createSink({ storageDir, userAgent }, { send: egress.send, now, log }),
      transform: createTransform({ loadScript, run: sandbox.run, now }),
      tracing,
      now,
      databaseNow: clock.now,
      log,
    },
  )
}

/** What is done in intervals. The first three sleep while there is nothing for them to look at. */
function createTickers(log: Log, rooms: () => TickedRooms) {
  function ticker(name: string, everyMs: number, work: () => Promise<NextRound>): Ticker {
    const onError = (error: unknown): void => log.warn(`dispatcher.${name}-failed`, { error })
    return createTicker({ name, everyMs, onError }, work)
  }

  return {
    scheduler: ticker('scheduler', 50, async () => {
      const { scheduler, parking, intake } = rooms()
      const more = scheduler.tick()
      parking.tick()
      // There may be capacity though no attempt has ended: a limit has been lifted, or a delivery
      // that waited has been parked.
      intake.wake()
      return more || parking.size() > 0 ? false : 'sleep'
    }),
    attempts: ticker('attempts', 100, async () => {
      const { attempts, leases } = rooms()
      const lasting = attempts.age()
      if (lasting.length > 0) await leases.begin(lasting)
      return attempts.hasYoung() ? false : 'sleep'
    }),
    circuits: ticker('circuits', 250, async () =>
      (await rooms().circuits.tick()) ? false : 'sleep',
    ),
    leases: ticker('leases', 1_000, async () => await rooms().leases.renew()),
    backlogs: ticker('backlogs', 1_000, async () => rooms().backlogs.tick()),
    operationalEvents: ticker('operational-events', 1_000, async () =>
      rooms().operationalEvents.tick(),
    ),
    configuration: ticker(
      'configuration',
      1_000,
      async () => await rooms().configuration.refresh(),
    ),
    idleTargets: ticker('idle-targets', 10_000, async () => rooms().scheduler.forgetIdle()),
  }
}

interface TickedRooms {
  scheduler: Pick<FairScheduler, 'tick' | 'forgetIdle'>
  parking: Pick<ParkingWriter, 'tick' | 'size'>
  intake: Pick<Intake, 'wake'>
  attempts: Pick<Attempts, 'age' | 'hasYoung'>
  circuits: Pick<Circuits, 'tick'>
  leases: RenewLeases
  backlogs: Pick<Backlogs, 'tick'>
  operationalEvents: Pick<PublishOperationalEvents, 'tick'>
  configuration: Pick<Configuration, 'refresh'>
}
