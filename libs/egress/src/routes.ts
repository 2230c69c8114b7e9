/**
 * Decides which requests may share connections, and how a connection of theirs is made. Whatever
 * changes the answer to "may this address be reached, and as whom" is part of the key: a kept
 * connection that was made under another setting is never used.
 */
import { createHash } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import { createAddressPolicy } from './address-policy.ts'
import { compileCidrs } from './addresses.ts'
import type { DemoReceiverAddress } from './check-destination.ts'
import { bareHost, isDemoReceiver } from './check-destination.ts'
import type { EgressRoute } from './open-socket.ts'

export interface RouteConfig {
  /** `EGRESS_ALLOW_CIDRS`: ranges that the default block list does not apply to. */
  allowCidrs: readonly string[]
  demoReceiver: DemoReceiverAddress | undefined
  /** Certificates in PEM to trust instead of Node's. */
  ca: readonly string[] | undefined
}

/** The part of a request that decides its route. */
export interface RouteRequest {
  /**
   * Requests with another key never share a connection: the endpoint and the version of its TLS
   * settings. Required with `tls`.
   */
  connectionKey?: string | undefined
  /** It must not be changed in place: its fingerprint is kept for the array. */
  allowedCidrs?: readonly string[] | undefined
  blockedCidrs?: readonly string[] | undefined
  /** The client certificate to present, in PEM. */
  tls?: { cert: string; key: string } | undefined
}

export interface Routes {
  /** Equal for requests that may share connections. */
  keyOf(request: RouteRequest, url: URL): string
  make(request: RouteRequest, url: URL): { origin: string; route: EgressRoute }
}

export function createRoutes(config: RouteConfig): Routes {
  const exempt = compileCidrs(config.allowCidrs)
  const none = compileCidrs([])
  const trusted = config.ca ? { ca: [...config.ca] } : {}
  const withoutCertificate = createSecureContext(trusted)
  const fingerprints = new WeakMap<readonly string[], string>()

  function fingerprint(cidrs: readonly string[] | undefined): string {
    if (!cidrs || cidrs.length === 0) return ''
    const known = fingerprints.get(cidrs)
    if (known) return known
    const hash = createHash('sha256').update(cidrs.join(' ')).digest('base64')
    fingerprints.set(cidrs, hash)
    return hash
  }

  function secureContext({ tls }: RouteRequest, url: URL): SecureContext | undefined {
    if (url.protocol !== 'https:') return undefined
    return tls ? createSecureContext({ ...trusted, ...tls }) : withoutCertificate
  }

  return {
    keyOf(request, url) {
      const own = isDemoReceiver(url, config.demoReceiver) ? 'own' : ''
      const { connectionKey = '', allowedCidrs, blockedCidrs } = request
      const lists = `${fingerprint(allowedCidrs)} ${fingerprint(blockedCidrs)}`
      return `${url.origin} ${own} ${lists} ${connectionKey}`
    },
    make(request, url) {
      const { allowedCidrs, blockedCidrs } = request
      const addressPolicy = createAddressPolicy({
        exempt,
        allowed: allowedCidrs ? compileCidrs(allowedCidrs) : none,
        blocked: blockedCidrs ? compileCidrs(blockedCidrs) : none,
        toDemoReceiver: isDemoReceiver(url, config.demoReceiver),
      })
      const defaultPort = url.protocol === 'https:' ? 443 : 80
      return {
        origin: url.origin,
        route: {
          hostname: bareHost(url),
          port: url.port === '' ? defaultPort : Number(url.port),
          addressPolicy,
          secureContext: secureContext(request, url),
          session: undefined,
        },
      }
    },
  }
}
