/**
 * Keeps waiting polls awake: by the announcements of every service, and by a re-check for the announcement that was lost.
 * Without the broker the service starts all the same, and polls wake within the re-check.
 */
import type { Bus, Reader } from '@posthorn/bus/bus'
import type { Log } from '@posthorn/runtime/log'
import { createTicker } from '@posthorn/runtime/ticker'
import type { WaitingPolls } from './waiting-polls.ts'

export interface ListenForPollsDeps {
  bus: Pick<Bus, 'subscribe'>
  polls: Pick<WaitingPolls, 'ready' | 'recheck'>
  log: Pick<Log, 'warn'>
}

export interface PollListener {
  start(): void
  stop(): Promise<void>
}

/** How late a poll wakes at worst. One query for all that wait, and none when none does. */
const RECHECK_MS = 2_000
/** Each is a few bytes and done at once. */
const MAX_IN_FLIGHT = 1_000

export function createPollListener({ bus, polls, log }: ListenForPollsDeps): PollListener {
  const recheck = createTicker(
    {
      everyMs: RECHECK_MS,
      onError: (error) => log.warn('polls.recheck-failed', { error }),
    },
    () => polls.recheck(),
  )
  let reader: Reader | undefined
  let stopped = false

  function subscribe(): void {
    bus
      .subscribe({
        group: 'portal-api',
        topics: ['poll.ready'],
        maxInFlight: MAX_IN_FLIGHT,
        onMessages: (_topic, messages) => {
          for (const { value, done } of messages) {
            polls.ready(value)
            done()
          }
        },
      })
      .then(
        async (begun) => {
          reader = begun
          if (stopped) await begun.stop()
        },
        (error: unknown) => log.warn('polls.not-listening', { error }),
      )
  }

  return {
    start() {
      recheck.start()
      subscribe()
    },
    async stop() {
      stopped = true
      await reader?.stop()
      await recheck.stop()
    },
  }
}
