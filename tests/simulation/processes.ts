/**
 * The product's services as simulated processes: two fan-outs, two dispatchers and two schedulers,
 * each with connections of its own. They die, freeze, stop in order, and are started again.
 */
import type { Bus } from '@posthorn/bus/bus'
import { brandOf, deliveryHeaderNames } from '@posthorn/domain/brand'
import type { Egress } from '@posthorn/egress/egress'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import type { StateStore } from '@posthorn/state/state-store'
import type { Pool } from '@posthorn/store/pool'
import { createDispatcher } from '../../services/dispatcher/src/app.ts'
import { createFanout } from '../../services/fanout/src/app.ts'
import { createRetryScheduler } from '../../services/retry-scheduler/src/app.ts'
import { EPOCH_MS, type Owner, type VirtualTime } from './virtual-time.ts'

export interface ProcessDeps {
  time: VirtualTime
  poolOf(owner: Owner): Pool
  busOf(owner: Owner): Bus
  stateOf(owner: Owner): StateStore
  egressOf(owner: Owner, names: { deliveryId: string; attempt: string }): Pick<Egress, 'send'>
  random(): number
  skewOf(place: number): number
  log(owner: Owner, name: string, fields: Record<string, unknown>): void
}

export interface RunningProcess {
  owner: Owner
  place: number
  service: Service | undefined
}

export interface Processes {
  start(place: number): void
  all(): readonly RunningProcess[]
  find(owner: Owner): RunningProcess | undefined
  remove(running: RunningProcess): void
}

const KINDS = ['fanout', 'fanout', 'dispatcher', 'dispatcher', 'scheduler', 'scheduler'] as const
export const PROCESS_COUNT = KINDS.length

/** Schedulers are left out of the faults that hit processes at their steps. */
export function isScheduler({ place }: RunningProcess): boolean {
  return KINDS[place] === 'scheduler'
}

const BRAND = brandOf('Service')
const MAX_HOLD_DAYS = 30

const METRICS: Metrics = {
  count: () => undefined,
  set: () => undefined,
  observe: () => undefined,
  onScrape: () => undefined,
  render: async () => ({ contentType: '', body: '' }),
}

export function createProcesses(deps: ProcessDeps): Processes {
  const { time } = deps
  const running = new Map<Owner, RunningProcess>()
  let started = 0

  function make(owner: Owner, place: number): Service {
    const log = logOf(owner)
    const [pool, bus] = [deps.poolOf(owner), deps.busOf(owner)]
    const now = (): number => EPOCH_MS + time.now() + owner.skewMs
    const kind = KINDS[place]
    if (kind === 'fanout') return createFanout({ pool, bus, log, metrics: METRICS })
    if (kind === 'scheduler')
      return createRetryScheduler(
        { maxHoldDays: MAX_HOLD_DAYS },
        { pool, bus, log, metrics: METRICS, now },
      )
    return createDispatcher(
      { brand: BRAND, version: '1.0.0', slots: 2_048, defaultPlan: 'self_hosted' },
      {
        pool,
        bus,
        state: deps.stateOf(owner),
        egress: deps.egressOf(owner, deliveryHeaderNames(BRAND)),
        sandbox: { run: () => Promise.reject(new Error('no endpoint here has a transformation')) },
        seal: { open: (sealed) => sealed },
        clock: { now },
        usage: { attemptRecorded: () => undefined },
        log,
        metrics: METRICS,
        random: deps.random,
      },
    )
  }

  function logOf(owner: Owner): Log {
    const write = (name: string, fields: Record<string, unknown> = {}): void =>
      deps.log(owner, name, fields)
    return { debug: write, info: write, warn: write, error: write, flush: () => undefined }
  }

  return {
    start(place) {
      started += 1
      const name = `${KINDS[place]}-${started}`
      const owner: Owner = { name, isAlive: true, frozenUntil: 0, skewMs: deps.skewOf(place) }
      const one: RunningProcess = { owner, place, service: undefined }
      running.set(owner, one)
      time.at(owner, time.now(), () => {
        one.service = make(owner, place)
        one.service.start().catch((error: unknown) => {
          deps.log(owner, 'not started', { error })
          owner.isAlive = false
        })
      })
    },
    all: () => [...running.values()],
    find: (owner) => running.get(owner),
    remove: (one) => void running.delete(one.owner),
  }
}
