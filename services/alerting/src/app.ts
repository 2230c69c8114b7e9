/** Alerting: counts what happened, evaluates rules over it, and notifies. */
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Bus } from '@posthorn/bus/bus'
import type { Listener } from '@posthorn/bus/listen'
import { createApiRouter } from '@posthorn/http/api-router'
import type { Handlers } from '@posthorn/http/handlers'
import type { Router } from '@posthorn/http/router'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Service } from '@posthorn/runtime/service'
import { type Alerts, type AlertsConfig, type AlertsDeps, createAlerts } from './alerts.ts'
import { createFolding, type Folding } from './fold/fold-rollups.ts'
import { createInsights, type Insights, type InsightsDeps } from './insights.ts'

export type AlertingDeps = ServeDeps &
  Omit<AlertsDeps & InsightsDeps, 'rollups'> & {
    portal: PortalSessions
    bus: Pick<Bus, 'subscribe'>
  }

export interface Alerting {
  router: Router
  service: Service
}

/** People use these routes: two of the largest bodies at once are enough. */
const BODY_CAPACITY = { maxBytes: 16 * 1024 * 1024, maxSmallBytes: 8 * 1024 * 1024 }

export function createAlerting(config: AlertsConfig, deps: AlertingDeps): Alerting {
  const { brand } = config
  const routing = { service: 'alerting', brand, bodyCapacity: BODY_CAPACITY } as const
  const folding = createFolding(deps)
  const insights = createInsights({ ...deps, rollups: folding })
  const alerts = createAlerts(config, { ...deps, rollups: folding })
  const handlers: Handlers<'alerting'> = { ...insights.handlers, ...alerts.handlers }
  return {
    router: { ...createApiRouter(routing, deps, handlers), upgrades: insights.upgrades },
    service: createService(deps, { folding, insights, alerts }),
  }
}

function createService(
  { bus, log, authenticate }: AlertingDeps,
  { folding, insights, alerts }: { folding: Folding; insights: Insights; alerts: Alerts },
): Service {
  let changes: Listener | undefined
  return {
    name: 'alerting',
    async start() {
      await folding.service.start()
      insights.stream.start()
      alerts.start()
      changes = listenForConfigChanges({
        bus,
        group: 'alerting',
        onChange(tenantId) {
          authenticate.invalidateTenant(tenantId)
          insights.tenantChanged(tenantId)
        },
        onError: (error) => log.warn('alerting.not-listening', { error }),
      })
    },
    async stop(timeoutMs) {
      await Promise.all([
        alerts.stop(timeoutMs),
        changes?.stop(),
        insights.stream.stop(),
        folding.service.stop(timeoutMs),
      ])
    },
  }
}
