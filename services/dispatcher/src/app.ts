/**
 * The dispatcher: takes deliveries off `delivery.due`, sends them, records what came of it. Once a delivery is taken on
 * Postgres owns it: the message is done, and what this process does not finish is announced again when its lease ends.
 *
 * A delivery's way: `consume` -> `admit` -> `lines` (a slot) -> `try-delivery` -> `recorder`; or to `parking`, and back
 * through `backlogs`. `keep-leases` renews what is here meanwhile.
 */
import type { Reader } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import { PRIORITY_CLASSES } from '@posthorn/contracts/topics'
import type { Service } from '@posthorn/runtime/service'
import { createTicker, type NextRound } from '@posthorn/runtime/ticker'
import { within } from '@posthorn/runtime/within'
import { LAST_MS, leave } from './shut-down.ts'
import type { DispatcherConfig, DispatcherDeps } from './dispatcher-deps.ts'
import { wire } from './wire.ts'

export type { DispatcherConfig, DispatcherDeps } from './dispatcher-deps.ts'

export interface Dispatcher extends Service {
  /** Tries under way. */
  inFlight(): number
}

/** Of each priority what is sparse, and what belongs to a flood. */
const TOPICS = PRIORITY_CLASSES.flatMap(
  (of) => [`delivery.due.${of}`, `delivery.due.${of}.bulk`] as const,
)
/** As many messages of a topic in memory and not taken on: a quarter of a second's work. */
const MAX_IN_FLIGHT = 1_000

export function createDispatcher(config: DispatcherConfig, deps: DispatcherDeps): Dispatcher {
  const { bus, log, metrics } = deps
  const parts = wire(config, deps, {
    lines: () => ticks.lines.wake(),
    tries: () => ticks.tries.wake(),
    circuits: () => ticks.circuits.wake(),
  })
  const { consume, lines, parking, backlogs, keepLeases, tenants, windows, recorder } = parts
  const { circuits, notices } = parts
  const readers: Reader[] = []
  let changes: Listener | undefined
  // Fast ones sleep while there is nothing to look at: an idle dispatcher is woken a few times a second.
  const ticks = {
    lines: ticker('lines', 50, async () => {
      const more = lines.tick()
      parking.tick()
      // There may be room though nothing has ended: a limit has been lifted, or what waited has been handed back.
      consume.wake()
      return more || parking.size() > 0 ? false : 'sleep'
    }),
    tries: ticker('tries', 100, async () => ((await keepLeases.look()) ? false : 'sleep')),
    circuits: ticker('circuits', 250, async () => ((await circuits.tick()) ? false : 'sleep')),
  }
  const tickers = [
    ...Object.values(ticks),
    ticker('leases', 1_000, keepLeases.renew),
    ticker('backlogs', 1_000, async () => backlogs.tick()),
    ticker('notices', 1_000, async () => notices.tick()),
    ticker('configuration', 1_000, tenants.refresh),
    ticker('idle-targets', 10_000, async () => lines.forgetIdle()),
  ]

  function ticker(what: string, everyMs: number, work: () => Promise<NextRound>) {
    return createTicker(
      { name: what, everyMs, onError: (error) => log.warn(`dispatcher.${what}-failed`, { error }) },
      work,
    )
  }

  async function leaveGroup(): Promise<void> {
    await Promise.all([changes?.stop(), ...readers.map((reader) => reader.stop())])
  }

  metrics.onScrape(() => {
    metrics.set('posthorn_attempts_in_flight', {}, windows.inFlight())
    metrics.set('posthorn_results_unrecorded', {}, recorder.size())
    metrics.set('posthorn_deliveries_in_memory', {}, lines.waiting())
    metrics.set('posthorn_backlogs_owned', {}, backlogs.size())
  })

  return {
    name: 'dispatcher',
    async start() {
      for (const one of tickers) one.start()
      changes = listenForConfigChanges({
        bus,
        group: 'dispatcher',
        onChange: tenants.invalidate,
        onError: (error) => log.warn('dispatcher.changes-not-heard', { error }),
      })
      readers.push(
        // One subscription: members of a Kafka group must all read the same topics.
        await bus.subscribe({
          group: 'dispatcher',
          topics: TOPICS,
          maxInFlight: MAX_IN_FLIGHT,
          onMessages: consume.received,
        }),
      )
    },
    async stop(timeoutMs) {
      for (const reader of readers) reader.pause()
      await leave({ ...parts, leaveGroup }, log, timeoutMs)
      await Promise.all(tickers.map((one) => one.stop()))
      await within(LAST_MS, notices.idle())
    },
    inFlight: windows.inFlight,
  }
}
