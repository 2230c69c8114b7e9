/**
 * Tells every instance that what it caches of a tenant is out of date, and this one at once, so that who makes a project
 * or a key can use it in the next request. To the others it is only a nudge: it may be lost, and caches look at
 * `tenants.config_version`, or again at the key, by themselves every second.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { ConfigChanged } from '@posthorn/contracts/topics'

export type AnnounceChange = (tenantId: string, what: ConfigChanged['what']) => void

export function createAnnounceChange(
  bus: Pick<Bus, 'announce'>,
  forgetKeys: (tenantId: string) => void,
): AnnounceChange {
  return (tenantId, what) => {
    forgetKeys(tenantId)
    bus.announce('config.changed', [{ v: 1, tenantId, what }])
  }
}
