/**
 * What a seed decides before its run begins: which processes there are, what customers do, and
 * which faults are injected.
 */
import { ENDPOINT_DEFAULTS, type EndpointConfig } from '@posthorn/contracts/endpoints'
import type { SeededRandom } from './seeded-random.ts'

export type StepFault =
  | { kind: 'dies' }
  | { kind: 'refused' }
  | { kind: 'lost' }
  | { kind: 'deadlock' }
  /** late: the request arrives only after `ms`. slow: the request or its answer takes `ms`. */
  | { kind: 'freezes' | 'slow' | 'late'; ms: number }

export type TimedFault =
  | { kind: 'postgres away' | 'redis away' | 'bus down'; ms: number }
  | { kind: 'redis empty' }
  | { kind: 'stops'; process: number }
  /** Sets the clock of a process or of the customers forward or back, and right again later. */
  | { kind: 'clock steps'; process: number; byMs: number; ms: number }

export type CustomerAction =
  | 'pause'
  | 'replay'
  | 'edit'
  | 'edit and replay'
  | 'delete'
  | 'reset circuit'
  | 'retain'

export interface Plan {
  endpoints: EndpointConfig[]
  events: { at: number; isDirect: boolean; lane: number; priority: number; maxAttempts: number }[]
  actions: { at: number; action: CustomerAction; ms: number; which: number }[]
  /**
   * Faults by the number of the step that they hit, counted over the steps that matter of all
   * processes.
   */
  stepFaults: Map<number, StepFault>
  /**
   * Faults aimed at the n-th step of a kind, so that rare steps are hit as often as common ones.
   */
  aimedFaults: { step: string; nth: number; fault: StepFault }[]
  timedFaults: { at: number; fault: TimedFault }[]
  /** From then on no fault is injected, and everything must come to its end. */
  calmAt: number
  /**
   * Timers fire no sooner than the next multiple of this: it imitates a busy machine and saves
   * steps.
   */
  timerMs: number
  skews: number[]
  /** The share of attempts that endpoints fail until it is calm. */
  failureRate: number
  /** The share of messages that are lost, repeated or late until it is calm. */
  messageFaultRate: number
  /** The share of attempts that last longer than a dispatcher takes for quick. */
  slowRate: number
  /**
   * While retention looks into this one of the days that it locks, counted from 1, an event is sent
   * whose deliveries get ids of that day, from a clock that is set back; and retention is slow.
   * 0: none.
   */
  sendsIntoLocked: number
}

/**
 * Steps between which and their effect another process may act: the situations that guards are for.
 */
export const AIMED_STEPS = [
  'begin-attempts',
  'renew-leases',
  'release-leases',
  'record-attempts',
  'supersede-attempts',
  'take-operational-events',
  'lock-heads',
  'park-deliveries',
  'cancel-deliveries',
  'take-backlog',
  'take-parked',
  'finish-backlog',
  'postpone-backlog',
  'pass',
  'is about to send',
  'COMMIT',
]
const MAX_NTH = 4
const MAX_EVENTS = 6
const MAX_STEP = 60

export function drawPlan(random: SeededRandom): Plan {
  const calmAt = random.between(4_000, 16_000)
  const burst = random.happens(0.5) ? 50 : calmAt * 0.6
  const endpoints = Array.from({ length: 1 + random.below(2) }, (_, n) => drawEndpoint(random, n))
  if (random.happens(0.5)) endpoints.push(drawSubscriber())
  const faults = random.pick([0, 0, 1, 2, 3, 4])
  const stepFaults = new Map<number, StepFault>()
  const aimedFaults: Plan['aimedFaults'] = []
  const timedFaults: Plan['timedFaults'] = []
  for (let fault = 0; fault < faults; fault += 1) {
    const kind = random.pick(['aimed', 'aimed', 'step', 'timed'] as const)
    if (kind === 'aimed') aimedFaults.push(drawAimedFault(random))
    else if (kind === 'step') stepFaults.set(1 + random.below(MAX_STEP), drawStepFault(random))
    else timedFaults.push({ at: random.between(50, calmAt * 0.7), fault: drawTimedFault(random) })
  }
  const actions = drawActions(random, calmAt)
  const retained = random.happens(0.3) ? drawRetention(random, calmAt) : []
  if (retained.length > 0)
    timedFaults.push(setBack(random, CUSTOMER_PROCESS), setBack(random, random.below(2)))
  if (random.happens(0.3)) timedFaults.push(...drawClockSteps(random, calmAt))
  const sendsIntoLocked = retained.length > 0 ? random.pick([0, 1, 2, 3]) : 0
  return {
    endpoints,
    events: Array.from({ length: 2 + random.below(MAX_EVENTS - 1) }, () => ({
      at: 20 + random.next() * burst,
      isDirect: random.happens(0.15),
      lane: random.below(2),
      priority: 1 + random.below(10),
      // What is given up early is what a replay beside retention is about.
      maxAttempts: 1 + random.below(retained.length > 0 ? 2 : 4),
    })),
    actions: [...actions, ...retained],
    stepFaults,
    aimedFaults,
    timedFaults,
    calmAt,
    timerMs: random.pick([50, 250, 500, 500]),
    skews: Array.from({ length: 8 }, () => (random.happens(0.7) ? 0 : random.between(-300, 300))),
    failureRate: random.pick(retained.length > 0 ? [0.2, 0.5, 0.8, 0.9] : [0, 0.2, 0.5, 0.8]),
    messageFaultRate: random.pick([0, 0.2, 0.5]),
    slowRate: random.pick([0, 0.2, 0.5]),
    sendsIntoLocked,
  }
}

function drawEndpoint(random: SeededRandom, n: number): EndpointConfig {
  const isFifo = random.happens(0.6)
  return {
    ...ENDPOINT_DEFAULTS,
    url: `http://endpoint-${n}/`,
    eventTypes: ['*'],
    maxRetries: 4,
    retryBackoffMs: random.pick([100, 1_000, 3_000]),
    retryBackoffMult: 1.5,
    timeoutMs: random.pick([2_000, 5_000, 15_000]),
    fifo: isFifo,
    fifoPartitionKey: isFifo && random.happens(0.5) ? '$.lane' : null,
    rateLimitPerSec: random.happens(0.2) ? 1 + random.below(4) : 0,
    circuitThreshold: random.happens(0.5) ? 1 + random.below(2) : 0,
    circuitResetMs: random.pick([1_000, 4_000]),
  }
}

/** An endpoint that subscribes to operational events about the others' events. */
function drawSubscriber(): EndpointConfig {
  const url = 'http://endpoint-operational/'
  return { ...ENDPOINT_DEFAULTS, url, eventTypes: ['service.*'], circuitThreshold: 0 }
}

function drawStepFault(random: SeededRandom): StepFault {
  const kind = random.pick([
    'dies',
    'dies',
    'freezes',
    'freezes',
    'lost',
    'refused',
    'deadlock',
    'slow',
  ] as const)
  if (kind === 'freezes') return { kind, ms: random.pick([500, 4_000, 11_000, 11_000, 16_000]) }
  if (kind === 'slow') return { kind, ms: random.pick([800, 4_000, 12_000]) }
  return { kind }
}

/** Mostly lasts for longer than a lease, so that others may take over what the step was about. */
function drawAimedFault(random: SeededRandom): Plan['aimedFaults'][number] {
  const [step, nth] = [random.pick(AIMED_STEPS), 1 + random.below(random.pick([1, 2, MAX_NTH]))]
  const kind = random.pick(['late', 'late', 'freezes', 'other'] as const)
  const fault =
    kind === 'other' ? drawStepFault(random) : { kind, ms: random.pick([12_000, 16_000, 20_000]) }
  return { step, nth, fault }
}

function drawTimedFault(random: SeededRandom): TimedFault {
  const kind = random.pick([
    'postgres away',
    'redis away',
    'bus down',
    'redis empty',
    'stops',
  ] as const)
  if (kind === 'redis empty') return { kind }
  if (kind === 'stops') return { kind, process: random.below(6) }
  return { kind, ms: random.pick([300, 2_000, 6_000]) }
}

const CUSTOMER_ACTIONS: readonly CustomerAction[] = [
  'pause',
  'pause',
  'replay',
  'replay',
  'edit',
  'edit and replay',
  'edit and replay',
  'delete',
  'reset circuit',
]
const DAY_MS = 86_400_000
/**
 * The number, after those of the processes, of the customers, whose clock gives events their ids.
 */
export const CUSTOMER_PROCESS = 6
/** The processes that give deliveries of events by type their ids. */
export const FANOUT_PROCESSES = [0, 1]
/** For how long after its lock deliveries get ids of the day. */
export const SET_BACK_MS = 3_000
/** By how much each step is late that closes the day or takes it out. */
export const RETENTION_LATE_MS = 1_000

/**
 * Clock steps so large that ids fall into other days, at the beginning of the run as well as in the
 * middle.
 */
function drawClockSteps(random: SeededRandom, calmAt: number): Plan['timedFaults'] {
  return Array.from({ length: 1 + random.below(3) }, () => ({
    at: random.pick([0, random.between(0, calmAt * 0.7)]),
    fault: {
      kind: 'clock steps',
      process: random.below(CUSTOMER_PROCESS + 1),
      byMs: random.pick([2_000, 3_600_000, DAY_MS, 3 * DAY_MS]) * random.pick([1, -1]),
      ms: random.between(50, calmAt),
    },
  }))
}

/** Makes events or their deliveries belong to a day that is old. */
function setBack(random: SeededRandom, process: number): Plan['timedFaults'][number] {
  const byMs = -DAY_MS * random.below(3)
  return { at: 0, fault: { kind: 'clock steps', process, byMs, ms: random.between(100, 4_000) } }
}

/**
 * Retention that takes the days before the run's for old, beside replays of what has just ended.
 */
function drawRetention(random: SeededRandom, calmAt: number): Plan['actions'] {
  const at = random.between(calmAt * 0.2, calmAt)
  const drawn = Array.from({ length: 1 + random.below(3) }, () => ({
    at: at + random.between(0, 3_000),
    action: 'retain' as const,
    ms: random.pick([20, 100, 400, 60_000]) * random.next(),
    which: random.below(8),
  }))
  const replays = Array.from({ length: 1 + random.below(4) }, () => ({
    at: at + random.between(0, 1_500),
    action: 'replay' as const,
    ms: 0,
    which: random.below(8),
  }))
  return [...drawn, ...replays]
}

function drawActions(random: SeededRandom, calmAt: number): Plan['actions'] {
  return Array.from({ length: random.pick([0, 1, 1, 2]) }, () => ({
    at: random.between(100, calmAt * 0.9),
    action: random.pick(CUSTOMER_ACTIONS),
    ms: random.between(10, 6_000),
    which: random.below(8),
  }))
}
