/** Alert rules, connectors and notifications: their routes, and the loops behind them. */
import { connectorConfigs } from '@posthorn/contracts/connectors'
import { createTicker } from '@posthorn/async/ticker'
import type { PlanName } from '@posthorn/domain/plans'
import type { Handlers } from '@posthorn/http/handlers'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import { readEvaluationLag } from '@posthorn/store/alerting/evaluations'
import { readWaiting } from '@posthorn/store/alerting/queue-depth'
import type { Pool } from '@posthorn/store/pool'
import { readWindows } from '@posthorn/store/rollups/read-window'
import type { Seal } from '@posthorn/store/seal'
import { createReadConnectors } from './connectors/read-connectors.ts'
import { createSaveConnector } from './connectors/save-connector.ts'
import { createCompose } from './notify/compose.ts'
import { createDeliver } from './notify/deliver.ts'
import { createNotificationWorker } from './notify/notification-worker.ts'
import { createSendSample } from './notify/send-sample.ts'
import { renderText, findTemplateProblem } from './notify/templates.ts'
import type { Freshness } from './fold/fold-rollups.ts'
import type { CheckTargetUrl } from './refusals.ts'
import { createEvaluateNow } from './rules/evaluate-now.ts'
import { BATCH, createEvaluateRules } from './rules/evaluate-rules.ts'
import { createPreviewRule } from './rules/preview-rule.ts'
import { createReadRules } from './rules/read-rules.ts'
import { createSaveRule } from './rules/save-rule.ts'
import type { SendToTarget } from './targets/target.ts'

export interface AlertsDeps {
  pool: Pool
  rollups: Freshness
  seal: Seal
  checkDestination: CheckTargetUrl
  send: SendToTarget
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'count' | 'set' | 'onScrape'>
  /** Postgres's time. */
  clock: { now: () => number }
}

export type AlertHandlers = Pick<
  Handlers<'alerting'>,
  | keyof ReturnType<typeof createSaveRule>
  | keyof ReturnType<typeof createReadRules>
  | keyof ReturnType<typeof createSaveConnector>
  | keyof ReturnType<typeof createReadConnectors>
  | keyof ReturnType<typeof createSendSample>
  | 'evaluateAlertRules'
  | 'previewAlertRule'
>

export interface Alerts {
  handlers: AlertHandlers
  start(): void
  stop(timeoutMs: number): Promise<void>
}

/** How late a rule may be beside its ten seconds. */
const EVALUATE_EVERY_MS = 1_000

export interface AlertsConfig {
  /** The word in the service's own header names, and in the subjects of mails. */
  brand: string
  /** `DEFAULT_PLAN`: the plan of workspaces without a subscription. */
  defaultPlan: PlanName
}

export function createAlerts({ brand, defaultPlan }: AlertsConfig, deps: AlertsDeps): Alerts {
  const { pool, rollups, log, metrics, clock } = deps
  const rules = createEvaluateRules({ defaultPlan }, { pool, rollups, readWindows, readWaiting })
  const compose = createCompose({ brand, render: renderText })
  const worker = createNotificationWorker({
    pool,
    deliver: createDeliver({ defaultPlan }, { ...deps, compose }),
    log,
    metrics,
    random: Math.random,
  })
  const evaluator = createTicker(
    {
      name: 'alert rules',
      everyMs: EVALUATE_EVERY_MS,
      onError: (error) => log.warn('alerts.not-evaluated', { error }),
    },
    async () => {
      const { taken, evaluated } = await rules.evaluateDue()
      metrics.count('posthorn_alert_rules_evaluated_total', {}, evaluated)
      return taken === BATCH
    },
  )
  metrics.onScrape(async () =>
    metrics.set('posthorn_alert_evaluation_lag_seconds', {}, await readEvaluationLag(pool)),
  )
  const configs = connectorConfigs(brand)
  const flows = { ...deps, configs, findTemplateProblem, compose, now: clock.now }
  return {
    handlers: {
      ...createSaveRule(flows),
      ...createReadRules(flows),
      ...createSaveConnector(flows),
      ...createReadConnectors(flows),
      ...createSendSample(flows),
      evaluateAlertRules: createEvaluateNow(rules),
      previewAlertRule: createPreviewRule({ pool, rollups, readWindows, now: clock.now }),
    },
    start() {
      evaluator.start()
      worker.start()
    },
    async stop(timeoutMs) {
      await Promise.all([evaluator.stop(), worker.stop(timeoutMs)])
    },
  }
}
