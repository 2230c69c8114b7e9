/**
 * Hears that what an instance keeps in memory of a tenant is out of date. Without the broker a service starts all the
 * same, and looks its memory over every second anyway.
 */
import type { ConfigChanged } from '@posthorn/contracts/topics'
import type { Bus } from './bus.ts'
import { listen, type Listener } from './listen.ts'

export interface ConfigChangesDeps {
  bus: Pick<Bus, 'subscribe'>
  /** The listening service. */
  group: string
  onChange(tenantId: string, what: ConfigChanged['what']): void
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
