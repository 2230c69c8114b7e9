/**
 * Learns from `config.changed` that what an instance keeps in memory about a tenant is out of date.
 * A service starts without the broker all the same, and checks its memory every second anyway.
 */
import type { Bus } from './bus.ts'
import { listen, type Listener, type MessageHandlers } from './listen.ts'

export interface ConfigChangesDeps {
  bus: Pick<Bus, 'subscribe'>
  /** The name of the listening service. */
  group: string
  onChange(tenantId: string, what: string): void
  /** Other topics that the service listens to: one reader costs less than two. */
  others?: MessageHandlers
  onError(error: unknown): void
}

export function listenForConfigChanges(deps: ConfigChangesDeps): Listener {
  const { bus, group, onChange, others, onError } = deps
  return listen({
    bus,
    group,
    on: { ...others, 'config.changed': ({ tenantId, what }) => onChange(tenantId, what) },
    onError,
  })
}
