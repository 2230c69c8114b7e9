/**
 * Compliance: removes what is kept no longer, one instance at a time under a lease, and works off
 * jobs for data subjects, each instance on a job of its own.
 */
import { setTimeout } from 'node:timers/promises'
import { createTicker, type Ticker } from '@posthorn/async/ticker'
import { createLeadership } from '@posthorn/boot/leadership'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Bus } from '@posthorn/bus/bus'
import type { Listener } from '@posthorn/bus/listen'
import type { PlanName } from '@posthorn/domain/plans'
import { createApiRouter } from '@posthorn/http/api-router'
import type { Handlers } from '@posthorn/http/handlers'
import type { Router } from '@posthorn/http/router'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Log } from '@posthorn/runtime/log'
import type { Service } from '@posthorn/runtime/service'
import type { Pool } from '@posthorn/store/pool'
import type { Seal } from '@posthorn/store/seal'
import { createListAuditLogs } from './audit/list-audit-logs.ts'
import { createListAuthAudit } from './audit/list-auth-audit.ts'
import { createApplyRetention } from './retention/apply-retention.ts'
import { createRetentionSettings } from './retention/retention-settings.ts'
import { createCreateSubjectJob } from './subject-jobs/create-subject-job.ts'
import { createReadSubjectJobs } from './subject-jobs/read-subject-jobs.ts'
import { createRunSubjectJobs, nextJobInMs } from './subject-jobs/run-subject-jobs.ts'
import { createDeleteWorkspace } from './workspace/delete-workspace.ts'
import { createExportWorkspace } from './workspace/export-workspace.ts'

export interface ComplianceConfig {
  /** The word in the service's own header names: `BRAND`. */
  brand: string
  /** `DEFAULT_PLAN`: the plan of workspaces without a subscription. */
  defaultPlan: PlanName
}

export interface ComplianceDeps extends ServeDeps {
  pool: Pool
  /** For retention, whose locks outlive its transactions. */
  sessionPool: Pool
  bus: Pick<Bus, 'subscribe' | 'announce'>
  seal: Seal
  log: Pick<Log, 'info' | 'warn'>
  /** Postgres's time. */
  clock: { now: () => number }
}

export interface Compliance {
  router: Router
  service: Service
}

const LEASE_NAME = 'compliance'
/** Nothing here is urgent: another instance takes over within half a minute. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000
const HOUR_MS = 3_600_000
/** How soon a job goes on that waits for its next step, or for another process to lose it. */
const JOBS_MS = 1_000
/** How soon a job is seen that another process has queued. */
const MAX_JOBS_MS = 5_000
/** People use these routes: two of the largest bodies at once are enough. */
const BODY_CAPACITY = { maxBytes: 16 * 1024 * 1024, maxSmallBytes: 8 * 1024 * 1024 }

export function createCompliance(config: ComplianceConfig, deps: ComplianceDeps): Compliance {
  const { brand } = config
  const routing = { service: 'compliance', brand, bodyCapacity: BODY_CAPACITY } as const
  const jobs = createJobs(deps)
  return {
    router: createApiRouter(routing, deps, createHandlers(deps, jobs.wake)),
    service: createService(config, deps, jobs),
  }
}

function createHandlers(deps: ComplianceDeps, onQueued: () => void): Handlers<'compliance'> {
  const { pool, seal, bus, authenticate, clock } = deps
  const shared = { pool, seal, now: clock.now, onQueued }
  return {
    listAuditLogs: createListAuditLogs(shared),
    listAuthAudit: createListAuthAudit(shared),
    ...createRetentionSettings({ pool }),
    ...createCreateSubjectJob(shared),
    ...createReadSubjectJobs(shared),
    ...createExportWorkspace(shared),
    ...createDeleteWorkspace({ ...shared, bus, forget: authenticate.invalidateTenant }),
  }
}

function createJobs({ pool, seal, log }: ComplianceDeps): Ticker {
  const run = createRunSubjectJobs({ pool, seal, log, rest: setTimeout })
  const onError = (error: unknown): void => log.warn('compliance.jobs-failed', { error })
  return createTicker({ name: 'subject jobs', everyMs: JOBS_MS, onError }, async () => {
    const inMs = await nextJobInMs(pool)
    return inMs <= 0 ? await run() : Math.min(MAX_JOBS_MS, Math.max(JOBS_MS, inMs))
  })
}

function createService(config: ComplianceConfig, deps: ComplianceDeps, jobs: Ticker): Service {
  const { pool, sessionPool, bus, log, clock, authenticate } = deps
  const onError = (what: string) => (error: unknown) => log.warn(`compliance.${what}`, { error })
  const leadership = createLeadership(
    { name: LEASE_NAME, leaseMs: LEASE_MS },
    {
      pool,
      log,
      onChange(leads) {
        if (leads) retention.wake()
      },
    },
  )
  const { isLeader } = leadership
  const leading = createTicker(
    { name: 'leadership', everyMs: RENEW_MS, onError: onError('leadership-failed') },
    leadership.renew,
  )
  const applyRetention = createApplyRetention(config, { pool: sessionPool, log, now: clock.now })
  const retention = createTicker(
    { name: 'retention', everyMs: HOUR_MS, onError: onError('retention-failed') },
    async () => (isLeader() ? await applyRetention() : false),
  )
  let changes: Listener | undefined
  return {
    name: 'compliance',
    async start() {
      await leadership.renew()
      leading.start()
      retention.start()
      jobs.start()
      changes = listenForConfigChanges({
        bus,
        group: 'compliance',
        onChange: authenticate.invalidateTenant,
        onError: onError('not-listening'),
      })
    },
    async stop() {
      await changes?.stop()
      await Promise.all([leading.stop(), retention.stop(), jobs.stop()])
      await leadership.resign()
    },
  }
}
