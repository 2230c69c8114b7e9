/** What the management plane is told and given. */
import type { Bus } from '@posthorn/bus/bus'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Verifier } from '@posthorn/inbound/verifier'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import type { StateStore } from '@posthorn/state/state-store'
import type { Pool } from '@posthorn/store/pool'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { CheckDestination } from './endpoints/check-endpoint.ts'

export interface PortalApiConfig {
  /** The word of our own header names: `BRAND`. */
  brand: string
  /** Of this installation, as in the deliveries' `User-Agent`. */
  version: string
  /** `EGRESS_IPS`: addresses that deliveries come from. */
  egressIps: readonly string[]
  /** How long a polled event is hidden from other polls. */
  pollVisibilityMs: number
  /** `MAX_ENDPOINTS`: of a workspace, whatever its plan. */
  maxEndpoints: number
  /** `MAX_EVENT_TYPES` of a workspace, over its projects. */
  maxEventTypes: number
  /** `MAX_INBOUND_ENDPOINTS` of a workspace, over its projects. */
  maxInboundEndpoints: number
  /** `MAX_PROJECTS` of a workspace, the default one included. */
  maxProjects: number
  /** Of sample events. */
  maxPayloadBytes: number
  /** `STORAGE_DIR` is set: endpoints may write files. */
  hasStorageDir: boolean
  /** `PUBLIC_URL`: where receivers are reached, without a slash at the end. */
  publicUrl: string
}

export interface PortalApiDeps extends ServeDeps {
  /** For configuration, through Prisma; `pool` is for attempts. */
  database: Database
  pool: Pool
  bus: Pick<Bus, 'announce' | 'subscribe' | 'writable'>
  seal: Seal
  checkDestination: CheckDestination
  sandbox: Pick<Sandbox, 'compile' | 'run'>
  verifier: Pick<Verifier, 'verify'>
  state: Pick<StateStore, 'readCircuits' | 'resetCircuit'>
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'onScrape' | 'set'>
}
