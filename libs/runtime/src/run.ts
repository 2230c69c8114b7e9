/**
 * Runs a process: starts its parts in order, says when it is ready, and on SIGTERM or SIGINT stops
 * them in the reverse order, each within its time limit. A second signal, or an error nobody
 * caught, ends it at once: what was not finished is announced again by others.
 *
 * SIGTERM comes from whoever replaces this process by another. It is given the time in which no
 * request need be refused and no attempt cut short. SIGINT comes from somebody at a terminal, who
 * wants the process to end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Part {
  name: string
  start?(): Promise<void>
  stop?(timeoutMs: number): Promise<void>
}

export interface ProcessConfig {
  /**
   * After SIGTERM the process says that it is not ready and works on for this long, so that whoever
   * routes requests may notice.
   */
  lingerMs?: number
  /** How long parts may take to stop after SIGTERM. By default the longest attempt has the time. */
  replacedStopMs?: number
}

/** The longest attempt, 60 s, and its recording. */
const REPLACED_STOP_MS = 65_000
/** An attempt that takes longer is not waited for: whoever takes over makes it again. */
const STOP_MS = 25_000

/** A terminal and a parent may both send one Ctrl-C; only a later signal means "now". */
const IMPATIENT_MS = 1_000

export interface Process {
  /** False from the first signal on: `/ready` answers 503. */
  isReady(): boolean
  start(): Promise<void>
  /** @param timeoutMs how long a part may take; by default as the reason asks for */
  stop(reason: string, timeoutMs?: number): Promise<void>
}

export function createProcess(
  parts: readonly Part[],
  log: Log,
  { lingerMs = 0, replacedStopMs = REPLACED_STOP_MS }: ProcessConfig = {},
): Process {
  let ready = false
  let stopping: Promise<void> | undefined
  const started: Part[] = []

  async function start(): Promise<void> {
    for (const part of parts) {
      started.push(part)
      await part.start?.()
    }
    ready = true
  }

  async function stopAll(reason: string, timeoutMs?: number): Promise<void> {
    ready = false
    log.info('process.stopping', { reason })
    const isReplaced = reason === 'SIGTERM'
    if (isReplaced && lingerMs > 0) await pause(lingerMs)
    for (const part of started.toReversed()) {
      try {
        await part.stop?.(timeoutMs ?? (isReplaced ? replacedStopMs : STOP_MS))
      } catch (error) {
        log.error('process.stop-failed', { part: part.name, error })
      }
    }
    log.info('process.stopped', { reason })
    log.flush()
  }

  return {
    isReady: () => ready,
    start,
    stop(reason, timeoutMs) {
      stopping ??= stopAll(reason, timeoutMs)
      return stopping
    },
  }
}

/** Runs until a signal. Nothing else ends the process. */
export async function runUntilSignal(process_: Process, log: Log): Promise<void> {
  const end = (reason: string, code: number): void => {
    void process_.stop(reason).then(() => process.exit(code))
  }
  let firstAt = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (firstAt > 0 && Date.now() - firstAt > IMPATIENT_MS) process.exit(1)
      if (firstAt > 0) return
      firstAt = Date.now()
      end(signal, 0)
    })
  }
  process.on('uncaughtException', (error) => {
    log.error('process.crashed', { error })
    log.flush()
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    log.error('process.crashed', { error })
    log.flush()
    process.exit(1)
  })
  try {
    await process_.start()
  } catch (error) {
    log.error('process.start-failed', { error })
    process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`)
    await process_.stop('start failed')
    process.exit(1)
  }
}
