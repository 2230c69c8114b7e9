/** Which of the dispatcher's parts hears of what. No decision is made here. */
import { deliveryHeaderNames } from '@posthorn/domain/brand'
import { createAdmit } from './intake/admit.ts'
import { createBacklogs } from './backlog/serve-backlogs.ts'
import { createConsume } from './intake/take-announced.ts'
import type { DispatcherConfig, DispatcherDeps } from './dispatcher-deps.ts'
import { createRenewLeases } from './intake/renew-leases.ts'
import { takeFetched } from './schedule/target-queue.ts'
import { createFairScheduler } from './schedule/fair-scheduler.ts'
import { createPayloads } from './send/load-payload.ts'
import { hasRoomFor, roomIn } from './room.ts'
import { bindStatements } from './statements.ts'
import { createTenants } from './config/configuration.ts'
import { createAttemptAges } from './schedule/attempt-ages.ts'
import { createMutex } from './mutex.ts'
import { createWindows, windowLimits } from './schedule/windows.ts'
import { wireControls } from './wire-controls.ts'
import { wireResults } from './wire-results.ts'
import { wireTries } from './wire-tries.ts'
import type { LeasedDelivery } from './delivery.ts'
import { createInFlightSet } from './in-flight-set.ts'

/** Tells a loop that sleeps that it has something to do again. */
export interface Wakes {
  lines(): void
  tries(): void
  circuits(): void
}

export function wire(config: DispatcherConfig, deps: DispatcherDeps, wakes: Wakes) {
  const { pool, bus, state, seal, clock, log } = deps
  const names = deliveryHeaderNames(config.brand)
  const works = createInFlightSet()
  const windows = createWindows(windowLimits(config.slots))
  const turns = createMutex()
  const ages = createAttemptAges<LeasedDelivery>((work) => work.slot?.startedAt ?? 0)
  const now = (): number => performance.now()
  const stopping = new AbortController()
  const quiet = createQuiet(() => windows.inFlight() === 0)

  const tenants = createTenants({ pool, seal, names })
  const statements = bindStatements(pool, () => void bus.announce('due.soon', [{ v: 1 }]))
  const drop = (work: LeasedDelivery): void => {
    circuits.releaseProbe(work)
    if (works.get(work.message.deliveryId) === work) works.delete(work.message.deliveryId)
  }
  const hasRoom = (): boolean => hasRoomFor({ recorder, parking, works, windows })

  const controls = wireControls(deps, {
    statements,
    tenants,
    drop,
    onProbed: (endpointId) => backlogs.probed(endpointId),
    onKnown: wakes.circuits,
    now,
  })
  const { circuits, notices } = controls
  const { recorder, parking, hold, cancel } = wireResults(deps, {
    works,
    statements,
    controls,
    turns,
    stopping: stopping.signal,
    onHeld: (held) => backlogs.serve(held),
    onReleased: (deliveries, askedAt) => void admit.released(deliveries, askedAt),
    onRecorded() {
      lines.pump()
      consume.wake()
    },
    onLeaving: wakes.lines,
    onParked: () => consume.wake(),
    now,
  })

  const lines = createFairScheduler({
    windows,
    takeTokens: state.takeTokens,
    canStart: () => !recorder.full(),
    reconsider: (work) => admit.reconsider(work),
    begin(work, way) {
      ages.started(work)
      wakes.tries()
      tryDelivery(work, way)
    },
    park: (work) => hold(work, work.target?.targetId ?? ''),
    drop,
    onCapacity: (line) => backlogs.feed(line),
    onWaiting: wakes.lines,
    utilization: createUtilization(),
    now,
  })

  const tryDelivery = wireTries(config, deps, {
    loadPayload: createPayloads({ ...statements, now: clock.now }).load,
    loaded: (work, bytes) => lines.payloadRead(work, bytes),
    ended(work) {
      ages.ended(work)
      lines.ended(work)
      consume.wake()
      quiet.look()
    },
    record(result) {
      circuits.attemptEnded(result)
      if (stopping.signal.aborted) drop(result.delivery)
      else recorder.add(result)
    },
    drop,
    cancel,
    now,
  })

  const admit = createAdmit({
    ...statements,
    ...tenants,
    inFlight: works,
    claim: (claims) => state.claim(claims),
    enqueue: lines.enqueue,
    pump: lines.pump,
    hold,
    cancel,
    learnCircuits: circuits.learn,
    isOpen: circuits.isOpen,
    now,
    databaseNow: clock.now,
    log,
  })

  const backlogs = createBacklogs({
    ...statements,
    ...tenants,
    announcePoll: createAnnouncePoll(bus),
    // The first delivery that is fetched tells the origin.
    queueOf: (targetId, tenantId) => lines.queueOf(targetId, `${tenantId} ${targetId}`),
    wanted: lines.wanted,
    hasCapacity: hasRoom,
    admitFetched: admit.fetched,
    takeFetched,
    park: hold,
    requestPermit: circuits.requestPermit,
    releaseProbe: circuits.release,
    turns,
    now,
    log,
  })

  const consume = createConsume({
    admit: admit.announced,
    backlogAnnounced: backlogs.announced,
    capacity: () => (hasRoom() ? roomIn(windows, lines) : 0),
    now,
    log,
  })

  const keepLeases = createRenewLeases({
    ...statements,
    inFlight: works,
    ages,
    windows,
    backlogs: backlogs.served,
    lostBacklog: backlogs.lost,
    renewClaims: (claims) => state.renew(claims),
    turns,
    now,
    databaseNow: clock.now,
    log,
  })

  return {
    works,
    windows,
    turns,
    tenants,
    recorder,
    parking,
    lines: { ...lines, drain: () => circuits.releaseProbes(lines.drain()) },
    backlogs,
    consume,
    keepLeases,
    circuits,
    notices,
    releaseLeases: statements.releaseLeases,
    quiet: () => quiet.reached(),
    close: () => stopping.abort(),
  }
}

/** Of the event loop since the last call. */
function createUtilization(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization
  }
}

function createAnnouncePoll(bus: DispatcherDeps['bus']) {
  return (tenantId: string, endpointId: string): void =>
    void bus.announce('poll.ready', [{ v: 1, tenantId, endpointId }])
}

/** For whoever waits until nothing is in flight any more. */
function createQuiet(isQuiet: () => boolean) {
  let onQuiet: (() => void) | undefined
  return {
    look(): void {
      if (onQuiet !== undefined && isQuiet()) onQuiet()
    },
    async reached(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      onQuiet = resolve
      if (!isQuiet()) await promise
    },
  }
}
