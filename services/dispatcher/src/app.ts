/**
 * The dispatcher: takes deliveries off `delivery.due`, sends them, records their results. Once a
 * delivery is taken on, Postgres owns it: the message is done, and what this process does not
 * finish is announced again when its lease ends.
 *
 * A delivery's way, whose phases are in `delivery.ts`: `intake/take-announced.ts` ->
 * `intake/admit.ts` -> `schedule/fair-scheduler.ts` (a slot) -> `send/attempt-delivery.ts` ->
 * `record/record-results.ts`; or to `backlog/park-deliveries.ts`, and back through
 * `backlog/serve-backlogs.ts`. Meanwhile `intake/renew-leases.ts` keeps what is here. `rooms.ts`
 * puts them together.
 */
import type { Reader } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import { PRIORITY_CLASSES } from '@posthorn/contracts/topics'
import type { Service } from '@posthorn/runtime/service'
import { within } from '@posthorn/async/within'
import { createRooms, type DispatcherConfig, type DispatcherDeps } from './rooms.ts'
import { LAST_MS, shutDown } from './shut-down.ts'

export type { DispatcherConfig, DispatcherDeps } from './rooms.ts'

export interface Dispatcher extends Service {
  /** Attempts under way. */
  inFlight(): number
}

/** For each priority what is sparse, and what belongs to a flood. */
const TOPICS = PRIORITY_CLASSES.flatMap(
  (priority) => [`delivery.due.${priority}`, `delivery.due.${priority}.bulk`] as const,
)
/** Messages of a topic in memory that are not taken on: a quarter of a second's work. */
const MAX_IN_FLIGHT = 1_000

export function createDispatcher(config: DispatcherConfig, deps: DispatcherDeps): Dispatcher {
  const { bus, log, metrics } = deps
  const rooms = createRooms(config, deps)
  const { configuration, congestion, intake, scheduler, recorder, backlogs, windows, tickers } =
    rooms
  const readers: Reader[] = []
  let changes: Listener | undefined

  async function leaveGroup(): Promise<void> {
    await Promise.all([changes?.stop(), ...readers.map((reader) => reader.stop())])
  }

  metrics.onScrape(() => {
    metrics.set('posthorn_attempts_in_flight', {}, windows.inFlight())
    metrics.set('posthorn_results_unrecorded', {}, recorder.size())
    metrics.set('posthorn_deliveries_in_memory', {}, scheduler.waiting())
    metrics.set('posthorn_backlogs_owned', {}, backlogs.size())
  })

  return {
    name: 'dispatcher',
    async start() {
      for (const ticker of tickers) ticker.start()
      changes = listenForConfigChanges({
        bus,
        group: 'dispatcher',
        onChange: configuration.invalidate,
        onError: (error) => log.warn('dispatcher.changes-not-heard', { error }),
      })
      readers.push(
        // One subscription: members of a Kafka group must all read the same topics.
        await bus.subscribe({
          group: 'dispatcher',
          topics: TOPICS,
          maxInFlight: MAX_IN_FLIGHT,
          onMessages(topic, messages) {
            congestion.received(topic, messages)
            intake.received(topic, messages)
          },
        }),
      )
    },
    async stop(timeoutMs) {
      for (const reader of readers) reader.pause()
      await shutDown({ ...rooms, leaveGroup, log }, timeoutMs)
      await Promise.all(tickers.map((ticker) => ticker.stop()))
      await within(LAST_MS, rooms.operationalEvents.idle())
    },
    inFlight: windows.inFlight,
  }
}
