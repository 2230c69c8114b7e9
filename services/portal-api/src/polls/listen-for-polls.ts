/**
 * Wakes waiting polls on the announcements of all services, and by a periodic check for
 * announcements that were lost. Without the broker the service still starts, and polls wake by the
 * check.
 */
import type { Bus } from '@posthorn/bus/bus'
import { listen, type Listener } from '@posthorn/bus/listen'
import type { Log } from '@posthorn/runtime/log'
import { createTicker } from '@posthorn/async/ticker'
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

/**
 * The longest delay of a lost announcement. The check is one query for all waiting polls, and none
 * when no poll waits.
 */
export const RECHECK_MS = 2_000

export function createPollListener({ bus, polls, log }: ListenForPollsDeps): PollListener {
  const recheck = createTicker(
    {
      name: 'polls',
      everyMs: RECHECK_MS,
      onError: (error) => log.warn('polls.recheck-failed', { error }),
    },
    () => polls.recheck(),
  )
  let listener: Listener | undefined

  return {
    start() {
      recheck.start()
      listener = listen({
        bus,
        group: 'portal-api',
        on: { 'poll.ready': polls.ready },
        onError: (error) => log.warn('polls.not-listening', { error }),
      })
    },
    async stop() {
      await listener?.stop()
      await recheck.stop()
    },
  }
}
