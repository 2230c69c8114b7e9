/** The settings and dependencies of single sign-on. */
import type { Egress } from '@posthorn/egress/egress'
import type { Role } from '@posthorn/domain/roles'
import type { PlanName } from '@posthorn/domain/plans'
import type { SessionCookie } from '@posthorn/http/serve'
import type { Log } from '@posthorn/runtime/log'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { ProviderClient } from './identity-provider.ts'

/** An identity provider that the operator has set up for everybody. */
export type OperatorProvider = {
  /** As in its paths. */
  id: 'google' | 'github' | 'microsoft' | 'oidc'
  /** As on its button. */
  name: string
  clientId: string
  clientSecret: string
} & ({ kind: 'oidc'; issuer: string } | { kind: 'github'; webUrl: string; apiUrl: string })

export interface SsoConfig {
  /** `BRAND`. */
  brand: string
  /** `PUBLIC_URL`, without a slash at its end. */
  publicUrl: string
  /** As outgoing requests name us. */
  userAgent: string
  /** `DEFAULT_PLAN`. */
  defaultPlan: PlanName
  /** `SSO_TRUSTED_DOMAINS`, in lower case. */
  trustedDomains: readonly string[]
  /** The providers that the settings name. */
  providers: readonly OperatorProvider[]
  sessionCookie: SessionCookie
}

export interface SsoDeps {
  database: Database
  seal: Seal
  send: Egress['send']
  /** Whether a provider may be reached without TLS, as one on the operator's own machine. */
  mayBePlain: (url: string) => boolean
  log: Pick<Log, 'info'>
  /** Epoch ms. */
  now: () => number
  /** Monotonic, in ms. */
  clock: () => number
}

/** What a sign-in came by: a provider that the operator set up, or a workspace's connection. */
export interface SignInConnection {
  /** As identities and flows name it: `google`, or the id of a connection. */
  key: string
  /** null: the operator's. */
  tenantId: string | null
  /** The role of members who come by it for the first time. */
  defaultRole: Role
}

/** A connection by OAuth or OIDC that somebody may sign in with now. */
export interface OpenConnection extends SignInConnection {
  client: ProviderClient
}

/** What of the settings single sign-on goes by. */
export type SsoSettings = Pick<
  SsoConfig,
  'defaultPlan' | 'providers' | 'trustedDomains' | 'userAgent'
>
