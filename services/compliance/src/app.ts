/**
 * Compliance: removes what is kept no longer. Several instances share the work under a lease; two
 * at once would do no harm.
 */
import { createTicker } from '@posthorn/async/ticker'
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
import { createListAuditLogs } from './audit/list-audit-logs.ts'
import { createListAuthAudit } from './audit/list-auth-audit.ts'
import { createApplyRetention } from './retention/apply-retention.ts'

export interface ComplianceConfig {
  /** The word in the service's own header names: `BRAND`. */
  brand: string
  /** `DEFAULT_PLAN`: the plan of workspaces without a subscription. */
  defaultPlan: PlanName
}

export interface ComplianceDeps extends ServeDeps {
  pool: Pool
  bus: Pick<Bus, 'subscribe'>
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
/** People use these routes: two of the largest bodies at once are enough. */
const BODY_CAPACITY = { maxBytes: 16 * 1024 * 1024, maxSmallBytes: 8 * 1024 * 1024 }

export function createCompliance(config: ComplianceConfig, deps: ComplianceDeps): Compliance {
  const { brand } = config
  const routing = { service: 'compliance', brand, bodyCapacity: BODY_CAPACITY } as const
  return {
    router: createApiRouter(routing, deps, createHandlers(deps)),
    service: createService(config, deps),
  }
}

function createHandlers({ pool, clock: { now } }: ComplianceDeps): Handlers<'compliance'> {
  return {
    listAuditLogs: createListAuditLogs({ pool, now }),
    listAuthAudit: createListAuthAudit({ pool, now }),
  }
}

function createService(config: ComplianceConfig, deps: ComplianceDeps): Service {
  const { pool, bus, log, clock, authenticate } = deps
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
  const applyRetention = createApplyRetention(config, { pool, log, now: clock.now })
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
      changes = listenForConfigChanges({
        bus,
        group: 'compliance',
        onChange: authenticate.invalidateTenant,
        onError: onError('not-listening'),
      })
    },
    async stop() {
      await changes?.stop()
      await Promise.all([leading.stop(), retention.stop()])
      await leadership.resign()
    },
  }
}
