/**
 * Fault injection: disturbs the processes and the connections between them as the plan says, at a
 * step that matters or at a time.
 */
import type { SimulatedBus } from './bus.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { FaultLog } from './check-sends.ts'
import type { Fate, ModelPools } from './model/pool.ts'
import {
  type Plan,
  CUSTOMER_PROCESS,
  RETENTION_LATE_MS,
  type StepFault,
  type TimedFault,
} from './plan.ts'
import { isScheduler, type Processes, PROCESS_COUNT, type RunningProcess } from './processes.ts'
import { RETENTION_PROCESS } from './retention.ts'
import type { SharedState } from './shared-state.ts'
import type { Owner, VirtualTime } from './virtual-time.ts'

export interface FaultInjectionDeps {
  time: VirtualTime
  random: SeededRandom
  faultLog: FaultLog
  tell(who: string, what: string): void
  isCalm(): boolean
}

interface SimulationParts {
  pools: ModelPools
  bus: SimulatedBus
  shared: SharedState
  processes: Processes
  /** The customers, who count as one process. */
  senders: Owner
}

export interface FaultInjection {
  begin(parts: SimulationParts): void
  fateOfStatement(owner: Owner, name: string): Fate
  fateOfStateCall(owner: Owner, doing: string): { ms: number; fault: 'refused' | 'lost' | null }
  isBusDown(): boolean
  onStep(owner: Owner, what: string): void
  applyTimed(fault: TimedFault): void
  count(): number
  /** When the last step that a fault delays goes on. */
  lastsUntil(): number
}

/** Statements that come again and again whether there is anything to do or not. */
export const IDLE = [
  'sweep-due',
  'acquire-leadership',
  'changed-tenants',
  'queue-depth',
  'partitions',
  'repair-backlogs',
]
export const IDLE_STATE = ['circuits', 'take']
/** A group coordinator drops a member that has been silent for this long. */
const SILENT_MS = 3_000
/** How long a stopping process may take to finish. */
const STOP_MS = 3_000

/** What can be done to a process: killing, freezing and stopping it, and setting its clock. */
function createProcessFaults(
  { time, random, faultLog }: Pick<FaultInjectionDeps, 'time' | 'random' | 'faultLog'>,
  parts: () => SimulationParts | undefined,
) {
  function die(running: RunningProcess): void {
    const { owner, place } = running
    owner.isAlive = false
    parts()?.processes.remove(running)
    time.at(null, time.now() + random.between(0, 20), () => parts()?.pools.cut(owner))
    time.at(null, time.now() + random.between(100, SILENT_MS), () => parts()?.bus.leave(owner))
    time.at(null, time.now() + random.between(100, 2_000), () => parts()?.processes.start(place))
  }

  function freeze(owner: Owner, ms: number): void {
    owner.frozenUntil = time.now() + ms
    parts()?.pools.froze(owner)
    if (ms > SILENT_MS) time.at(null, time.now() + SILENT_MS, () => parts()?.bus.leave(owner))
    time.at(null, owner.frozenUntil, () => {
      faultLog.add(owner)
      parts()?.bus.rejoin(owner)
    })
  }

  /**
   * Sets the clock of the process that runs at the moment. One that is started later has a correct
   * clock.
   */
  function step({ process, byMs, ms }: Extract<TimedFault, { kind: 'clock steps' }>): void {
    const running = parts()
      ?.processes.all()
      .find((one) => one.place === process)
    const owner = process === CUSTOMER_PROCESS ? parts()?.senders : running?.owner
    if (owner === undefined) return
    owner.steppedMs = (owner.steppedMs ?? 0) + byMs
    time.at(null, time.now() + ms, () => void (owner.steppedMs = (owner.steppedMs ?? 0) - byMs))
  }

  /** Stops a process in order, as SIGTERM does. */
  function stop(place: number): void {
    const running = parts()
      ?.processes.all()
      .find((one) => one.place === place)
    if (running?.service === undefined) return
    const { owner, service } = running
    time.at(owner, time.now(), () => {
      void service.stop(STOP_MS).then(() => {
        owner.isAlive = false
        parts()?.pools.cut(owner)
        parts()?.bus.leave(owner)
        parts()?.processes.remove(running)
        parts()?.processes.start(place)
      })
    })
  }

  return { die, freeze, step, stop }
}

/** Faults at a time: stores that are away, and what befalls a process whatever it does. */
function createTimedFaults(
  { time, tell, faultLog, isCalm }: FaultInjectionDeps,
  processFaults: ReturnType<typeof createProcessFaults>,
  parts: () => SimulationParts | undefined,
) {
  const awayUntil = { postgres: 0, redis: 0, bus: 0 }
  let count = 0

  function applyTimed(fault: TimedFault): void {
    count += 1
    const until = time.now() + ('ms' in fault ? fault.ms : 0)
    tell('fault', `${fault.kind}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`)
    if (fault.kind === 'postgres away') {
      awayUntil.postgres = until
      faultLog.add(null)
      time.at(null, until, () => faultLog.add(null))
    } else if (fault.kind === 'redis away') {
      awayUntil.redis = until
      faultLog.addState()
      time.at(null, until, faultLog.addState)
    } else if (fault.kind === 'bus down') awayUntil.bus = until
    else if (fault.kind === 'redis empty') {
      parts()?.shared.wipe()
      faultLog.addState()
    } else if (fault.kind === 'stops') processFaults.stop(fault.process % PROCESS_COUNT)
    else if (fault.kind === 'clock steps') processFaults.step(fault)
  }

  return {
    apply: applyTimed,
    isAway: (part: keyof typeof awayUntil) => time.now() < awayUntil[part] && !isCalm(),
    count: () => count,
  }
}

/** Counts the steps that matter, and finds the fault that the plan has for a step. */
function createStepFaults(
  plan: Plan,
  { time, tell, faultLog, isCalm }: FaultInjectionDeps,
  parts: () => SimulationParts | undefined,
) {
  let steps = 0
  /** How often each kind of step has been taken. */
  const stepCounts = new Map<string, number>()
  let count = 0
  let lastsUntil = 0

  /** @returns the fault of this step, if it has one */
  function nextFault(owner: Owner, what: string): StepFault | undefined {
    const running = parts()?.processes.find(owner)
    // The scheduler's own steps only sweep, and losing one equals losing its message on the bus.
    if (isCalm() || running === undefined || isScheduler(running)) return undefined
    steps += 1
    const nth = (stepCounts.get(what) ?? 0) + 1
    stepCounts.set(what, nth)
    const aimed = plan.aimedFaults.find((one) => one.step === what && one.nth === nth)
    const fault = aimed?.fault ?? plan.stepFaults.get(steps)
    if (fault === undefined) return undefined
    count += 1
    tell(owner.name, `${what}: ${fault.kind}${'ms' in fault ? ` for ${fault.ms} ms` : ''}`)
    faultLog.add(owner)
    if ('ms' in fault) lastsUntil = Math.max(lastsUntil, time.now() + fault.ms)
    return fault
  }

  return { nextFault, count: () => count, lastsUntil: () => lastsUntil }
}

export function createFaultInjection(plan: Plan, deps: FaultInjectionDeps): FaultInjection {
  const { time, random, faultLog, isCalm } = deps
  let parts: SimulationParts | undefined
  const processFaults = createProcessFaults(deps, () => parts)
  const timed = createTimedFaults(deps, processFaults, () => parts)
  const { nextFault, count, lastsUntil } = createStepFaults(plan, deps, () => parts)

  function apply(owner: Owner, fault: StepFault): void {
    const running = parts?.processes.find(owner)
    if (running === undefined) return
    if (fault.kind === 'dies') processFaults.die(running)
    else if (fault.kind === 'freezes') processFaults.freeze(owner, fault.ms)
    // When the answer comes late, what the process decided on is as old as if it had been frozen:
    // its circuit may have opened since.
    else if ('ms' in fault) time.at(null, time.now() + fault.ms, () => faultLog.add(owner))
  }

  function lateOfRetention(name: string): number | undefined {
    if (plan.sendsIntoLocked === 0 || isCalm()) return undefined
    return /^(close|take-out)-partition/.test(name) ? RETENTION_LATE_MS : undefined
  }

  return {
    begin(all) {
      parts = all
      for (const { at, fault } of plan.timedFaults) time.at(null, at, () => timed.apply(fault))
    },
    fateOfStatement(owner, name) {
      const lateMs = owner.name === RETENTION_PROCESS ? lateOfRetention(name) : undefined
      if (lateMs !== undefined) return { thereMs: lateMs, backMs: 1, fault: null }
      const isQuick = isCalm() || !random.happens(0.1)
      const way = (): number => (isQuick ? random.between(0.1, 2) : random.between(2, 300))
      const fate: Fate = { thereMs: way(), backMs: way(), fault: null }
      if (timed.isAway('postgres'))
        return { ...fate, fault: random.happens(0.2) ? 'lost' : 'refused' }
      // A customer whose answer is lost asks again.
      if (name === 'accept-events' && !isCalm() && random.happens(0.1))
        return { ...fate, fault: 'lost' }
      const fault = IDLE.includes(name) ? undefined : nextFault(owner, name)
      if (fault === undefined) return fate
      apply(owner, fault)
      if (fault.kind === 'late') return { ...fate, thereMs: fault.ms }
      if (fault.kind === 'slow')
        return { ...fate, [random.happens(0.5) ? 'thereMs' : 'backMs']: fault.ms }
      const { kind } = fault
      const isOurs = kind === 'lost' || kind === 'refused' || kind === 'deadlock'
      return isOurs ? { ...fate, fault: kind } : fate
    },
    fateOfStateCall(owner, doing) {
      const ms = random.between(0.05, 1)
      if (timed.isAway('redis')) return { ms, fault: random.happens(0.3) ? 'lost' : 'refused' }
      const fault = IDLE_STATE.includes(doing) ? undefined : nextFault(owner, doing)
      if (fault === undefined) return { ms, fault: null }
      apply(owner, fault)
      const { kind } = fault
      if (kind !== 'lost' && kind !== 'refused') return { ms, fault: null }
      faultLog.addState()
      return { ms, fault: kind }
    },
    isBusDown: () => timed.isAway('bus'),
    onStep(owner, what) {
      const fault = nextFault(owner, what)
      if (fault !== undefined) apply(owner, fault)
    },
    applyTimed: timed.apply,
    count: () => count() + timed.count(),
    lastsUntil,
  }
}
