/**
 * Hears that something is due before the next sweep: in this process or in another. Only a nudge, so nobody waits for it
 * to begin: without the broker it is swept `DUE_SOON_MS` later at worst.
 */
import type { Bus, Reader } from '@posthorn/bus/bus'

export interface ListenForDueSoonDeps {
  bus: Pick<Bus, 'subscribe'>
  onDueSoon(): void
  onError(error: unknown): void
}

export interface Listener {
  stop(): Promise<void>
}

/** Each is a few bytes and done at once. */
const MAX_IN_FLIGHT = 1_000

export function listenForDueSoon({ bus, onDueSoon, onError }: ListenForDueSoonDeps): Listener {
  let reader: Reader | undefined
  let stopped = false
  bus
    .subscribe({
      group: 'retry-scheduler',
      topics: ['due.soon'],
      maxInFlight: MAX_IN_FLIGHT,
      onMessages: (_topic, messages) => {
        onDueSoon()
        for (const { done } of messages) done()
      },
    })
    .then(async (begun) => {
      reader = begun
      if (stopped) await begun.stop()
    })
    .catch(onError)
  return {
    async stop() {
      stopped = true
      await reader?.stop()
    },
  }
}
