/**
 * How people of a domain sign in. The answer depends on the domain alone: nothing is looked up of
 * the address, so it tells nobody whether it is known.
 */
import { emailDomain } from '@posthorn/contracts/email-address'
import type { PlanName } from '@posthorn/domain/plans'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import { loginUrlOf } from './connection-record.ts'
import { findConnectionsOfDomain } from './find-connections.ts'
import { normalEmail } from './identity-provider.ts'

export interface DiscoverConfig {
  publicUrl: string
  trustedDomains: readonly string[]
  defaultPlan: PlanName
}

export function createDiscover(
  { publicUrl, trustedDomains, defaultPlan }: DiscoverConfig,
  { database }: { database: Database },
): Handlers<'portal-api'>['discoverSso'] {
  return async ({ query }) => {
    const email = normalEmail(query.email)
    if (email === null) return { method: 'password' }
    const domain = emailDomain(email)
    const isTrusted = trustedDomains.includes(domain)
    const [first] = await findConnectionsOfDomain(database, domain, { isTrusted, defaultPlan })
    if (first === undefined) return { method: 'password' }
    const method = first.type === 'saml' ? 'saml' : 'oauth'
    return { method, redirectUrl: loginUrlOf(publicUrl, first) }
  }
}
