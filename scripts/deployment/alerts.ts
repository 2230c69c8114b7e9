/**
 * Alerts and the objectives behind them, for Prometheus: deploy/prometheus/rules.yml and the chart
 * are made of this. What customers' endpoints answer never counts. Without traffic a ratio has no
 * value, and nothing is alerted.
 *
 * An objective's alert looks at two windows at once (the Site Reliability Workbook's chapter on
 * alerting): the long one says that much of the month's budget is gone, the short one that it still
 * goes.
 */
import { stringify } from 'yaml'

export interface Alert {
  alert: string
  expr: string
  for?: string
  labels: { severity: 'page' | 'ticket' }
  summary: string
}

interface Objective {
  name: string
  alert: string
  summary: string
  /** The share of 30 days that may be bad. */
  budget: number
  /** The share that was bad in a window. */
  bad(window: string): string
}

const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const

const ACCEPT = '{service=~"ingest-api|inbound-receiver"}'
const ACCEPT_FAILED = '{service=~"ingest-api|inbound-receiver",status=~"5.."}'
/** Polls wait for events, so how long they take says nothing. */
const MANAGEMENT = 'service=~"portal-api|compliance|alerting",route!~".*[pP]oll.*"'

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'accept',
    alert: 'PosthornAcceptFails',
    summary: 'Events are answered with 5xx',
    budget: 0.0005,
    bad: (window) =>
      `sum(rate(posthorn_http_requests_total${ACCEPT_FAILED}[${window}])) or 0 * sum(rate(posthorn_http_requests_total${ACCEPT}[${window}]))`,
  },
  {
    name: 'start',
    alert: 'PosthornStartsLate',
    summary: 'Deliveries that are due are not begun within 5 s',
    budget: 0.001,
    bad: (window) => `avg_over_time((max(posthorn_oldest_due_age_seconds) > bool 5)[${window}:1m])`,
  },
  {
    name: 'management',
    alert: 'PosthornManagementFails',
    summary: 'The management API answers with 5xx, or takes over a second',
    budget: 0.005,
    bad: (window) =>
      `sum(rate(posthorn_http_request_seconds_count{${MANAGEMENT}}[${window}])) - sum(rate(posthorn_http_request_seconds_bucket{${MANAGEMENT},le="1"}[${window}])) + (sum(rate(posthorn_http_requests_total{${MANAGEMENT},status=~"5.."}[${window}])) or 0 * sum(rate(posthorn_http_request_seconds_count{${MANAGEMENT}}[${window}])))`,
  },
]
/** What the bad ones are a share of; null: it is a share already. */
const ALL: Record<string, ((window: string) => string) | undefined> = {
  accept: (window) => `sum(rate(posthorn_http_requests_total${ACCEPT}[${window}]))`,
  management: (window) =>
    `sum(rate(posthorn_http_request_seconds_count{${MANAGEMENT}}[${window}]))`,
}

const CAUSES: readonly Alert[] = [
  {
    alert: 'PosthornOverdue',
    expr: 'max(posthorn_oldest_due_age_seconds) > 60',
    for: '2m',
    labels: { severity: 'page' },
    summary: 'Work has been due for over a minute, and nobody takes it',
  },
  {
    alert: 'PosthornSchedulerSilent',
    expr: 'sum(posthorn_scheduler_leader) == 0',
    for: '1m',
    labels: { severity: 'page' },
    summary: 'No retry-scheduler sweeps: retries and delayed events wait',
  },
  {
    alert: 'PosthornResultsUnrecorded',
    expr: 'max by (service, instance) (posthorn_results_unrecorded) > 1800',
    for: '2m',
    labels: { severity: 'page' },
    summary: 'Results of attempts wait for Postgres, and nothing more is taken on',
  },
  {
    alert: 'PosthornTargetDown',
    expr: 'up{job="posthorn"} == 0',
    for: '3m',
    labels: { severity: 'ticket' },
    summary: 'A process does not answer at /metrics',
  },
  {
    alert: 'PosthornLagGrows',
    expr: 'min_over_time(deriv(sum by (group, topic) (posthorn_consumer_lag)[5m:1m])[15m:1m]) > 1 and sum by (group, topic) (posthorn_consumer_lag) > 1000',
    labels: { severity: 'ticket' },
    summary: 'More messages come than are read, for 15 minutes',
  },
  {
    alert: 'PosthornDeadLetter',
    expr: 'sum by (group, topic) (increase(posthorn_bus_poison_total[15m])) > 0',
    labels: { severity: 'ticket' },
    summary: 'A message could not be parsed',
  },
  {
    alert: 'PosthornPoolExhausted',
    expr: 'min_over_time(posthorn_pool_connections{state="waiting"}[5m]) > 0',
    labels: { severity: 'ticket' },
    summary: 'Statements have waited for a Postgres connection for 5 minutes',
  },
  {
    alert: 'PosthornStalls',
    expr: 'sum by (service, at) (increase(posthorn_stall_seconds_count{at!="off-cpu"}[30m])) > 20',
    labels: { severity: 'ticket' },
    summary: 'An event loop is blocked for over 100 ms again and again',
  },
  {
    alert: 'PosthornClockStepped',
    expr: 'sum(increase(posthorn_clock_steps_total{clock="postgres"}[1h])) > 0',
    labels: { severity: 'ticket' },
    summary: 'The clock of Postgres was set by more than a second',
  },
]

export const ALERTS: readonly Alert[] = [...OBJECTIVES.flatMap(burns), ...CAUSES]

function burns({ name, alert, summary, budget }: Objective): Alert[] {
  const over = (window: string, times: number): string =>
    `posthorn:${name}_bad:ratio${window} > ${Number((times * budget).toPrecision(6))}`
  const both = (long: string, short: string, times: number): string =>
    `(${over(long, times)} and ${over(short, times)})`
  return [
    {
      alert,
      expr: `${both('1h', '5m', 14.4)} or ${both('6h', '30m', 6)}`,
      labels: { severity: 'page' },
      summary: `${summary}: the budget of 30 days is used up within days`,
    },
    {
      alert,
      expr: both('3d', '6h', 1),
      labels: { severity: 'ticket' },
      summary: `${summary}: more than the budget allows, for days`,
    },
  ]
}

/** The text of a file of rules. */
export function rulesFile(): string {
  const records = OBJECTIVES.flatMap(({ name, bad }) =>
    WINDOWS.map((window) => {
      const all = ALL[name]?.(window)
      return {
        record: `posthorn:${name}_bad:ratio${window}`,
        expr: all === undefined ? bad(window) : `(${bad(window)}) / (${all} > 0)`,
      }
    }),
  )
  const alerts = ALERTS.map(({ summary, ...rule }) => ({
    ...rule,
    annotations: { summary, runbook_url: `docs/runbooks/${rule.alert}.md` },
  }))
  const groups = [
    { name: 'posthorn-objectives', interval: '30s', rules: records },
    { name: 'posthorn-alerts', rules: alerts },
  ]
  return `# Made by \`npm run deployment\`.\n${stringify({ groups }, { lineWidth: 0 })}`
}
