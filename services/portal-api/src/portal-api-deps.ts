/** The settings and dependencies of the management plane. */
import type { Bus } from '@posthorn/bus/bus'
import type { PlanName } from '@posthorn/domain/plans'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Verifier } from '@posthorn/inbound/verifier'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import type { StateStore } from '@posthorn/state/state-store'
import type { DatabaseClock } from '@posthorn/store/clock'
import type { Pool } from '@posthorn/store/pool'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { SignUpPolicy } from './auth/sign-up.ts'
import type { BillingProvider } from './billing/billing-provider.ts'
import type { CheckEndpointDestination } from './endpoints/check-endpoint.ts'
import type { IssuerChecks } from './sso/check-issuer.ts'
import type { ResolveTxt } from './sso/domains.ts'
import type { SsoDeps, SsoSettings } from './sso/sso-deps.ts'
import type { SendMail } from './mail/send-mail.ts'

export interface PortalApiConfig {
  /** The word in the service's own header names: `BRAND`. */
  brand: string
  /** The version of this installation, as in the `User-Agent` of deliveries. */
  version: string
  /** `EGRESS_IPS`: the addresses that deliveries come from. */
  egressIps: readonly string[]
  /** The visibility timeout: how long a polled event is hidden from other polls. */
  pollVisibilityMs: number
  /** `MAX_ENDPOINTS`: the limit of a workspace, whatever its plan. */
  maxEndpoints: number
  /** `MAX_EVENT_TYPES`: the limit of a workspace, over all its projects. */
  maxEventTypes: number
  /** `MAX_INBOUND_ENDPOINTS`: the limit of a workspace, over all its projects. */
  maxInboundEndpoints: number
  /** `MAX_PROJECTS`: the limit of a workspace, the default project included. */
  maxProjects: number
  /** `MAX_SUB_ACCOUNTS`: the limit of a workspace, deactivated ones included. */
  maxSubAccounts: number
  /** The limit for sample events. */
  maxPayloadBytes: number
  /** Whether `STORAGE_DIR` is set: endpoints may write files then. */
  hasStorageDir: boolean
  /** `PUBLIC_URL`: the base of inbound URLs, without a slash at the end. */
  publicUrl: string
  /** `SIGNUP`: who may make a workspace. */
  signUp: SignUpPolicy
  /** `DEFAULT_PLAN`: the plan of workspaces without a subscription. */
  defaultPlan: PlanName
  sso: SsoSettings
}

export interface PortalApiDeps extends ServeDeps {
  portal: PortalSessions
  /** For configuration, through Prisma. Attempts are read through `pool`. */
  database: Database
  pool: Pool
  bus: Pick<Bus, 'announce' | 'subscribe' | 'writable'>
  seal: Seal
  checkDestination: CheckEndpointDestination
  sandbox: Pick<Sandbox, 'compile' | 'run'>
  verifier: Pick<Verifier, 'verify'>
  /** Postgres's time. */
  clock: Pick<DatabaseClock, 'now'>
  state: Pick<StateStore, 'readCircuits' | 'resetCircuit' | 'countGuess' | 'forgetGuesses'>
  log: Pick<Log, 'info' | 'warn'>
  /** The way to identity providers. */
  sso: Pick<SsoDeps, 'send'> & IssuerChecks & { resolveTxt: ResolveTxt }
  metrics: Pick<Metrics, 'onScrape' | 'set' | 'count'>
  sendMail: SendMail
  billing: BillingProvider
}
