/**
 * Sockets to wherever a tenant says, for protocols and clients that open none of their own: every
 * address is checked before a connection is made (`open-socket.ts`), the one that it reached too.
 * They are not shared and not kept: each is opened for one use.
 */
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { createAddressPolicy } from './address-policy.ts'
import { compileCidrs } from './addresses.ts'
import type { SendErrorCategory } from './error-category.ts'
import { type EgressRoute, openSocket } from './open-socket.ts'
import { createNameResolver, type Lookup } from './resolve-name.ts'

export interface GuardedSocketsConfig {
  /** `EGRESS_ALLOW_CIDRS`: ranges that the default block list does not apply to. */
  allowCidrs: readonly string[]
  /** Certificates in PEM to trust instead of Node's. */
  ca?: readonly string[] | undefined
}

export interface GuardedSocketRequest {
  /** A name or an address, without brackets. */
  hostname: string
  port: number
  /** Shakes hands by TLS, and verifies that it is the host. */
  secure: boolean
  /** The tenant: one owner's slow names delay no other's. */
  owner: string
  signal: AbortSignal
}

export interface GuardedSockets {
  /** @throws NoGuardedSocket */
  open(request: GuardedSocketRequest): Promise<Socket>
  close(): void
}

export class NoGuardedSocket extends Error {
  readonly category: SendErrorCategory
  constructor(category: SendErrorCategory, detail: string) {
    super(detail)
    this.category = category
  }
}

export function createGuardedSockets(
  config: GuardedSocketsConfig,
  deps: { lookup?: Lookup } = {},
): GuardedSockets {
  const resolver = createNameResolver()
  const lookup = deps.lookup ?? resolver.lookup
  const none = compileCidrs([])
  const addressPolicy = createAddressPolicy({
    exempt: compileCidrs(config.allowCidrs),
    allowed: none,
    blocked: none,
    toDemoReceiver: false,
  })
  const secureContext = createSecureContext(config.ca ? { ca: [...config.ca] } : {})

  return {
    open({ hostname, port, secure, owner, signal }) {
      const route: EgressRoute = {
        hostname,
        port,
        addressPolicy,
        secureContext: secure ? secureContext : undefined,
        session: undefined,
      }
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          opening.cancel()
          reject(new NoGuardedSocket('timeout', `no connection in time (${opening.phase()})`))
        }
        const opening = openSocket(
          route,
          (name) => lookup(name, owner),
          (opened) => {
            signal.removeEventListener('abort', giveUp)
            if (opened.outcome === 'open') resolve(opened.socket)
            else reject(new NoGuardedSocket(opened.category, opened.detail))
          },
        )
        if (signal.aborted) giveUp()
        else signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    close: () => resolver.close(),
  }
}
