/**
 * Decides whether one address may be connected to, for one destination: by the global rule with the
 * installation's exemptions, then by the endpoint's own lists. It is used for literal addresses,
 * for each address of a name, and for the address that a socket really reached.
 */
import type { CidrSet } from './addresses.ts'
import { classifyAddress, compileCidrs, GLOBAL } from './addresses.ts'

export interface AddressRules {
  /** Ranges that the default block list does not apply to (`EGRESS_ALLOW_CIDRS`). */
  exempt: CidrSet
  /** An endpoint's `allowedCidrs`; empty: any. */
  allowed: CidrSet
  /** An endpoint's `blockedCidrs`. */
  blocked: CidrSet
  /** The destination is the demo receiver, the only loopback address that needs no exemption. */
  toDemoReceiver: boolean
}

/** Answers undefined when the address may be connected to, else why not. */
export type AddressPolicy = (ip: string) => string | undefined

const loopback = compileCidrs(['127.0.0.0/8', '::1/128'])

export function createAddressPolicy(rules: AddressRules): AddressPolicy {
  return (ip) => {
    const kind = classifyAddress(ip)
    if (kind !== GLOBAL && !isExempted(ip, rules)) return `${ip} is ${kind}`
    if (rules.blocked.has(ip)) return `${ip} is in the endpoint's blockedCidrs`
    if (rules.allowed.size > 0 && !rules.allowed.has(ip)) {
      return `${ip} is not in the endpoint's allowedCidrs`
    }
    return undefined
  }
}

function isExempted(ip: string, rules: AddressRules): boolean {
  return rules.exempt.has(ip) || (rules.toDemoReceiver && loopback.has(ip))
}
