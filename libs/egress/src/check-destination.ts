/**
 * Checks what can be known about a destination when it is written down: whether it is a URL that we
 * deliver to, and whether its host is an address or a well-known local name that is refused at
 * once.
 *
 * It resolves nothing. A name that leads to a blocked address passes here and is stopped at connect
 * time, by egress.ts.
 */
import { isIP } from 'node:net'
import { memoize } from '@posthorn/async/memoize'
import { createAddressPolicy } from './address-policy.ts'
import type { CidrSet } from './addresses.ts'
import { compileCidrs } from './addresses.ts'

export const MAX_DESTINATION_CHARACTERS = 2048

export interface DemoReceiverAddress {
  /** Scheme, host and port that the service itself listens at: `http://127.0.0.1:8080`. */
  origin: string
  /** Ends in a slash: `/receiver/`. */
  pathPrefix: string
}

export interface DestinationPolicy {
  /** `EGRESS_ALLOW_CIDRS`: ranges that the default block list does not apply to. */
  allowCidrs: readonly string[]
  requireHttps: boolean
  demoReceiver?: DemoReceiverAddress | undefined
}

export type DestinationCheck =
  /** The URL must not be changed: the next caller gets the same object. */
  | { outcome: 'ok'; url: URL }
  | { outcome: 'invalid'; reason: string }
  | { outcome: 'blocked'; reason: string }

export type DestinationChecker = (text: string) => DestinationCheck

export function checkDestination(text: string, policy: DestinationPolicy): DestinationCheck {
  return createDestinationChecker(policy)(text)
}

/** Each at most 2 KiB of text, its URL as much again: 4 MB. */
const MAX_REMEMBERED = 1_000

/**
 * The same with the policy's ranges compiled once, for routes that check many destinations, and
 * with the last answers memoized.
 */
export function createDestinationChecker(policy: DestinationPolicy): DestinationChecker {
  const exempt = compileCidrs(policy.allowCidrs)
  const none = compileCidrs([])
  const refusalOf = createAddressPolicy({
    exempt,
    allowed: none,
    blocked: none,
    toDemoReceiver: false,
  })
  const reachesBeyondLoopback = policy.allowCidrs.some((cidr) => !isLoopbackRange(cidr))

  const checkText = memoize<DestinationCheck>(MAX_REMEMBERED, (text) => {
    const url = URL.parse(text)
    if (!url) return invalid('is not a valid absolute URL')
    const wrong = wrongPart(url, policy.requireHttps)
    if (wrong) return invalid(wrong)
    if (isDemoReceiver(url, policy.demoReceiver)) return { outcome: 'ok', url }
    const host = bareHost(url)
    const reason = isIP(host) ? refusalOf(host) : localName(host, exempt, reachesBeyondLoopback)
    return reason ? { outcome: 'blocked', reason } : { outcome: 'ok', url }
  })
  return (text) => {
    if (text.length <= MAX_DESTINATION_CHARACTERS) return checkText(text)
    return invalid(`is longer than ${MAX_DESTINATION_CHARACTERS} characters`)
  }
}

function invalid(reason: string): DestinationCheck {
  return { outcome: 'invalid', reason }
}

function wrongPart(url: URL, requireHttps: boolean): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an http or https URL'
  if (requireHttps && url.protocol !== 'https:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.port === '0') return 'must not use port 0'
  return undefined
}

/** Host without the brackets of an IPv6 literal and without the root's dot. */
export function bareHost(url: URL): string {
  const host = url.hostname
  if (host.startsWith('[')) return host.slice(1, -1)
  return host.replace(/\.+$/, '')
}

/**
 * Whether the URL is below the receiver's prefix on exactly its origin. The parser has resolved
 * `..` and `%2e%2e` already; an encoded slash, dot, backslash or percent sign is refused, for a
 * router may decode it once more.
 */
export function isDemoReceiver(url: URL, own: DemoReceiverAddress | undefined): boolean {
  if (!own || url.origin !== own.origin || !url.pathname.startsWith(own.pathPrefix)) return false
  const name = url.pathname.slice(own.pathPrefix.length)
  return /^[^/\\]+$/.test(name) && !/%(?:2e|2f|5c|25|00)/i.test(name)
}

const LOOPBACK_NAMES = ['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback']
const METADATA_NAMES = ['metadata', 'metadata.google.internal', 'instance-data']
/**
 * Suffixes that the public DNS does not serve but private resolvers do: ICANN's `internal`, mDNS's
 * `local` (which covers `cluster.local`), Kubernetes's `svc`, and what routers and offices hand
 * out.
 */
const LOCAL_SUFFIXES =
  /(?:^|\.)(?:internal|local|localdomain|svc|lan|intranet|corp|home|private|home\.arpa)$/

/**
 * Why a name is refused unresolved. An exemption is about addresses, so a local name is let
 * through, to be checked by its addresses, when they may be exempted: a loopback name by an
 * exemption for 127.0.0.1 or ::1, the metadata names by one for 169.254.169.254, any other by one
 * for anything beyond loopback (`http://sink:9000` with 172.16.0.0/12).
 */
function localName(
  host: string,
  exempt: CidrSet,
  reachesBeyondLoopback: boolean,
): string | undefined {
  if (LOOPBACK_NAMES.includes(host) || host.endsWith('.localhost')) {
    const reachable = exempt.has('127.0.0.1') || exempt.has('::1')
    return reachable ? undefined : `${host} is a name of this machine`
  }
  if (METADATA_NAMES.includes(host)) {
    return exempt.has('169.254.169.254') ? undefined : `${host} is a cloud metadata service`
  }
  if (host.includes('.') && !LOCAL_SUFFIXES.test(host)) return undefined
  return reachesBeyondLoopback ? undefined : `${host} is a name of a private network`
}

function isLoopbackRange(cidr: string): boolean {
  const [network = '', length = '0'] = cidr.split('/')
  return (
    (network.startsWith('127.') && isIP(network) === 4 && Number(length) >= 8) ||
    (network === '::1' && Number(length) === 128)
  )
}
