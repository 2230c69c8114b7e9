/**
 * Learns from `config.changed` that what an instance keeps in memory about a tenant is out of date.
 * A service starts without the broker all the same, and checks its memory every second anyway.
 */
import type { Bus } from './bus.ts'
import { listen, type Listener } from './listen.ts'

export interface ConfigChangesDeps {
  bus: Pick<Bus, 'subscribe'>
  /** The name of the listening service. */
  group: string
  onChange(tenantId: string, what: string): void
  onError(error: unknown): void
}

export function listenForConfigChanges(deps: ConfigChangesDeps): Listener {
  const { bus, group, onChange, onError } = deps
  return listen({
    bus,
    group,
    topic: 'config.changed',
    onMessage: ({ tenantId, what }) => onChange(tenantId, what),
    onError,
  })
}
