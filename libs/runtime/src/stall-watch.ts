/**
 * Reports what kept this process's event loop busy for over 100 ms: one wide line with the route or
 * topic, the tenant and the request that was being worked on, and `posthorn_stall_seconds`. How
 * long a round of the loop took is Node's own measure; what was at work is the mark that was set
 * last before (`@posthorn/async/current-work`).
 *
 * A process that was stopped, starved of its processor or waiting in a synchronous call is reported
 * as such (`off-cpu`) and blamed on nobody. A round that many small works filled together, or one
 * in which nothing was marked, is `unknown`.
 */
import { type EventLoopMonitorOptions, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import {
  STALL_MS,
  type BusySpan,
  listenForBusySpans,
  noteBusySpan,
} from '@posthorn/async/current-work'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Part } from './run.ts'

export interface StallWatchDeps {
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'observe'>
}

/** The figures of one look: they cover the time since the look before. */
export interface StallSample {
  /** The longest round of the loop. */
  roundMs: number
  /** For how long the loop was not idle. */
  busyMs: number
  /** What the thread spent on a processor. */
  cpuMs: number
  /** Marks after which the loop was busy for over `STALL_MS`; the first is the oldest. */
  busySpans: readonly BusySpan[]
}

export interface Stall {
  /** A name of the catalogs, or one of the words below. */
  at: string
  tenantId: string
  requestId: string
  seconds: number
  cpuSeconds: number
  /** What was marked before it. */
  before: readonly string[]
}

const OFF_CPU = 'off-cpu'
const UNKNOWN = 'unknown'

/** A stall is reported while whoever caused it may still be there. */
const LOOK_EVERY_MS = 1_000
/**
 * Marks kept between two looks. What comes beyond is seen in the length of the longest round alone.
 */
const MAX_SPANS = 16
/** The marks' clock and that of the rounds differ by the time of Node itself between callbacks. */
const SLACK = 1.1

/** One stall for each mark that filled a round; one for the longest round where no mark did. */
export function classifyStalls({ roundMs, busyMs, cpuMs, busySpans }: StallSample): Stall[] {
  if (roundMs < STALL_MS) return []
  // A span longer than any round is several rounds in which nothing was marked.
  const causes = busySpans.filter((one) => one.at !== '' && one.busyMs <= roundMs * SLACK)
  const causedMs = causes.reduce((sum, one) => sum + one.busyMs, 0)
  const before = causes[0]?.before ?? []
  // A process that is stopped while it waits for its sockets seems idle, yet its round lasts.
  const offCpuMs = Math.max(0, busyMs - cpuMs, roundMs - cpuMs)
  const seconds = roundMs / 1_000
  const cpuSeconds = Math.max(0, roundMs - offCpuMs) / 1_000
  const nobody = { tenantId: '', requestId: '', seconds, cpuSeconds }
  // On a machine that is not busy the rest of it would be no stall.
  if (Math.max(roundMs, causedMs) - offCpuMs < STALL_MS) {
    return [{ ...nobody, at: OFF_CPU, before: [...before, causes[0]?.at ?? ''].filter(Boolean) }]
  }
  if (causes.length === 0) return [{ ...nobody, at: UNKNOWN, before }]
  return causes.map(({ at, tenantId, requestId, busyMs: ms, before: marks }) => ({
    at,
    tenantId,
    requestId,
    seconds: ms / 1_000,
    cpuSeconds: Math.max(0, ms - offCpuMs) / 1_000,
    before: marks,
  }))
}

export function createStallWatch({ log, metrics }: StallWatchDeps): Part {
  const options: EventLoopMonitorOptions & { samplePerIteration: boolean } = {
    samplePerIteration: true,
  }
  const rounds = monitorEventLoopDelay(options)
  let busySpans: BusySpan[] = []
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let last = figures()

  function look(): void {
    isLooking = false
    const known = busySpans.length
    noteBusySpan()
    // Another mark kept the loop busy meanwhile. Its round is counted at the next look, and both
    // are reported then.
    if (busySpans.length > known) return
    const now = figures()
    const stalls = classifyStalls({
      roundMs: rounds.count === 0 ? 0 : rounds.max / 1e6,
      busyMs: now.busyMs - last.busyMs,
      cpuMs: now.cpuMs - last.cpuMs,
      busySpans,
    })
    busySpans = []
    last = now
    rounds.reset()
    for (const stall of stalls) {
      metrics.observe('posthorn_stall_seconds', { at: stall.at }, stall.seconds)
      log.warn('loop.stalled', { ...stall })
    }
  }

  /**
   * The round that contains a mark is counted once the next one has begun: at the second of two
   * immediates it has.
   */
  function lookSoon(): void {
    if (isLooking) return
    isLooking = true
    setImmediate(() => setImmediate(look).unref()).unref()
  }

  return {
    name: 'stall watch',
    async start() {
      rounds.enable()
      last = figures()
      listenForBusySpans((one) => {
        if (busySpans.length === MAX_SPANS) return
        busySpans.push(one)
        lookSoon()
      })
      // It keeps no process alive, and wakes an idle one once a second.
      timer = setInterval(() => {
        if (!isLooking) look()
      }, LOOK_EVERY_MS).unref()
    },
    async stop() {
      listenForBusySpans(undefined)
      clearInterval(timer)
      rounds.disable()
    },
  }
}

function figures(): { busyMs: number; cpuMs: number } {
  const { user, system } = process.threadCpuUsage()
  const busyMs = performance.now() - performance.nodeTiming.idleTime
  return { busyMs, cpuMs: (user + system) / 1_000 }
}
