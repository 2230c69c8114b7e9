/**
 * Tells every instance that what it caches of a tenant is out of date, and this one at once, so
 * that a client that makes a project or a key can use it in the next request. The message to the
 * others only saves time and may be lost: every second, caches compare `tenants.config_version` or
 * read the key again.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { ConfigAspect } from '@posthorn/contracts/topics'

export type AnnounceChange = (tenantId: string, what: ConfigAspect) => void

export function createAnnounceChange(
  bus: Pick<Bus, 'announce'>,
  forgetKeys: (tenantId: string) => void,
): AnnounceChange {
  return (tenantId, what) => {
    forgetKeys(tenantId)
    bus.announce('config.changed', [{ v: 1, tenantId, what }])
  }
}
