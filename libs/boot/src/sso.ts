/**
 * Opens the way to identity providers, which workspaces name themselves: the guarded egress, for
 * small answers that come soon; and the DNS, where workspaces prove their domains.
 */
import { createSharedSlots, type SharedSlots } from '@posthorn/async/shared-slots'
import {
  createDestinationChecker,
  type DestinationChecker,
} from '@posthorn/egress/check-destination'
import { createEgress, type Egress } from '@posthorn/egress/egress'
import { createTxtResolver } from '@posthorn/egress/resolve-txt'
import type { Settings } from '@posthorn/runtime/config'

export interface SsoAccess {
  /** Its `owner` is a workspace; without one the provider is the operator's. */
  send: Egress['send']
  checkDestination: DestinationChecker
  /**
   * Whether a provider may be reached without TLS: only in a network of the operator's own, at an
   * address or name that nothing but `EGRESS_ALLOW_CIDRS` lets us reach.
   */
  mayBePlain(url: string): boolean
  resolveTxt(name: string): Promise<string[][]>
  close(): Promise<void>
}

/** Metadata, keys and tokens are some kilobytes each. */
const MAX_BYTES = 1024 * 1024
/** Few people sign in at a time, and a workspace's provider may be slow. */
const MAX_SOCKETS = 256
/**
 * A half is for the providers that workspaces name, a half for the operator's, which all workspaces
 * sign in with. Each workspace has a quarter of its half, each of the operator's providers a half
 * of the other; those that are slow share a half. So one that hangs, however often somebody signs
 * in there, leaves sockets to the others.
 */
const SLOTS = MAX_SOCKETS / 2
const REQUEST_LIMITS = {
  slots: SLOTS,
  slowSlots: SLOTS / 2,
  slowMs: 1_000,
  rememberMs: 60_000,
  waitingPerOwner: 256,
  maxWaitMs: 5_000,
}

function slotsOf(slotsPerOwner: number): SharedSlots {
  return createSharedSlots(
    { ...REQUEST_LIMITS, slotsPerOwner },
    {
      refusal: () => new Error('too many requests to this identity provider are under way'),
      clock: () => performance.now(),
    },
  )
}

export function openSso(
  settings: Pick<Settings, 'EGRESS_ALLOW_CIDRS' | 'REQUIRE_HTTPS'>,
): SsoAccess {
  const { EGRESS_ALLOW_CIDRS: allowCidrs, REQUIRE_HTTPS: requireHttps } = settings
  const egress = createEgress({
    allowCidrs,
    requireHttps,
    maxResponseBodyBytes: MAX_BYTES,
    maxReadBytes: MAX_BYTES,
    maxSockets: MAX_SOCKETS,
  })
  const ofWorkspaces = slotsOf(SLOTS / 4)
  const ofOperator = slotsOf(SLOTS / 2)
  const allowed = createDestinationChecker({ allowCidrs, requireHttps })
  const withoutExemptions = createDestinationChecker({ allowCidrs: [], requireHttps })
  const resolver = createTxtResolver()
  return {
    send(request) {
      const { owner, url } = request
      const ask = (): ReturnType<Egress['send']> => egress.send(request)
      return owner === undefined ? ofOperator(new URL(url).origin, ask) : ofWorkspaces(owner, ask)
    },
    checkDestination: allowed,
    mayBePlain: (url) =>
      allowed(url).outcome === 'ok' && withoutExemptions(url).outcome === 'blocked',
    resolveTxt: (name) => resolver.resolveTxt(name),
    async close() {
      resolver.close()
      await egress.close()
    },
  }
}
