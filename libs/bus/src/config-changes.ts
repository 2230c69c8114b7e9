/**
 * Hears that what an instance keeps in memory of a tenant is out of date. Only a nudge, so nobody waits for it to begin:
 * without the broker a service starts all the same, and looks its memory over every second anyway.
 */
import type { ConfigChanged } from '@posthorn/contracts/topics'
import type { Bus, Reader } from './bus.ts'

export interface ConfigChanges {
  stop(): Promise<void>
}

export interface ConfigChangesDeps {
  bus: Pick<Bus, 'subscribe'>
  /** The listening service. */
  group: string
  onChange(tenantId: string, what: ConfigChanged['what']): void
  onError(error: unknown): void
}

/** Each is a few bytes and done at once. */
const MAX_IN_FLIGHT = 1_000

export function listenForConfigChanges(deps: ConfigChangesDeps): ConfigChanges {
  const { bus, group, onChange, onError } = deps
  let reader: Reader | undefined
  bus
    .subscribe({
      group,
      topics: ['config.changed'],
      maxInFlight: MAX_IN_FLIGHT,
      onMessages: (_topic, messages) => {
        for (const message of messages) {
          onChange(message.value.tenantId, message.value.what)
          message.done()
        }
      },
    })
    .then((begun) => {
      reader = begun
    }, onError)
  return { stop: async () => await reader?.stop() }
}
