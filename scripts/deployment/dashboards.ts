/**
 * Grafana's dashboards, as JSON that it provisions. Each panel has a title, a sentence and a unit;
 * every query reads metrics of the catalog through the data source that the reader chooses.
 */
type Unit = 's' | 'reqps' | 'ops' | 'short' | 'percentunit' | 'bytes'

interface Panel {
  title: string
  description: string
  unit: Unit
  /** PromQL by the legend of its lines. */
  queries: Readonly<Record<string, string>>
}

interface Dashboard {
  uid: string
  title: string
  panels: readonly Panel[]
}

const RATE = '[$__rate_interval]'
const HEIGHT = 8
const COLUMNS = 3
const WIDTH = 24 / COLUMNS

function quantiles(metric: string, by = ''): Record<string, string> {
  const group = by === '' ? 'le' : `le, ${by}`
  return Object.fromEntries(
    [0.5, 0.95, 0.99].map((q) => [
      `p${q * 100}${by === '' ? '' : ` {{${by}}}`}`,
      `histogram_quantile(${q}, sum by (${group}) (rate(${metric}_bucket${RATE})))`,
    ]),
  )
}

const OVERVIEW: Dashboard = {
  uid: 'posthorn-overview',
  title: 'Posthorn: overview',
  panels: [
    {
      title: 'Accepted',
      description: 'Events that were answered 201, by kind.',
      unit: 'ops',
      queries: { '{{kind}}': `sum by (kind) (rate(posthorn_events_accepted_total${RATE}))` },
    },
    {
      title: 'Attempts',
      description: 'Attempts recorded, by what followed.',
      unit: 'ops',
      queries: { '{{outcome}}': `sum by (outcome) (rate(posthorn_deliveries_total${RATE}))` },
    },
    {
      title: 'Success',
      description: 'The share of attempts that delivered.',
      unit: 'percentunit',
      queries: {
        success: `sum(rate(posthorn_deliveries_total{outcome="delivered"}${RATE})) / sum(rate(posthorn_deliveries_total${RATE}))`,
      },
    },
    {
      title: 'From acceptance to success',
      description: 'With the time that endpoints take, and with retries.',
      unit: 's',
      queries: quantiles('posthorn_delivery_latency_seconds'),
    },
    {
      title: 'Oldest due',
      description: 'Over 10 s: nobody announces what is due.',
      unit: 's',
      queries: { age: 'max(posthorn_oldest_due_age_seconds)' },
    },
    {
      title: 'Failures',
      description:
        'Attempts that failed, by category: one that rises for many endpoints at once is probably us.',
      unit: 'ops',
      queries: {
        '{{category}}': `sum by (category) (rate(posthorn_deliveries_total{outcome!="delivered"}${RATE}))`,
      },
    },
    {
      title: 'Circuits',
      description: 'Circuits of endpoints that opened, reopened or closed.',
      unit: 'ops',
      queries: { '{{change}}': `sum by (change) (rate(posthorn_circuit_changes_total${RATE}))` },
    },
    {
      title: 'Answers',
      description: 'Requests to the APIs, by status.',
      unit: 'reqps',
      queries: { '{{status}}': `sum by (status) (rate(posthorn_http_requests_total${RATE}))` },
    },
    {
      title: 'Time to answer',
      description: 'By service; polls wait by design.',
      unit: 's',
      queries: {
        'p99 {{service}}': `histogram_quantile(0.99, sum by (le, service) (rate(posthorn_http_request_seconds_bucket${RATE})))`,
      },
    },
  ],
}

const PIPELINE: Dashboard = {
  uid: 'posthorn-pipeline',
  title: 'Posthorn: pipeline',
  panels: [
    {
      title: 'Fanned out',
      description: 'Events by type whose deliveries were made.',
      unit: 'ops',
      queries: { events: `sum(rate(posthorn_events_fanned_out_total${RATE}))` },
    },
    {
      title: 'Inbound',
      description: 'Requests of platforms, by what became of them.',
      unit: 'reqps',
      queries: { '{{outcome}}': `sum by (outcome) (rate(posthorn_inbound_total${RATE}))` },
    },
    {
      title: 'Lag',
      description: 'Messages that are not read yet.',
      unit: 'short',
      queries: { '{{group}} {{topic}}': 'sum by (group, topic) (posthorn_consumer_lag)' },
    },
    {
      title: 'Waiting rows',
      description: 'In Postgres: due, scheduled, parked.',
      unit: 'short',
      queries: { '{{kind}}': 'max by (kind) (posthorn_queue_depth)' },
    },
    {
      title: 'Announced by the sweep',
      description: 'Rows whose time had come, or whose lease had ended.',
      unit: 'ops',
      queries: { '{{kind}}': `sum by (kind) (rate(posthorn_announced_total${RATE}))` },
    },
    {
      title: 'Attempts in flight',
      description: 'A dispatcher has 2,048 slots.',
      unit: 'short',
      queries: { '{{instance}}': 'sum by (instance) (posthorn_attempts_in_flight)' },
    },
    {
      title: 'Attempt',
      description: 'From the first byte sent to the result.',
      unit: 's',
      queries: {
        'p99 {{outcome}}': `histogram_quantile(0.99, sum by (le, outcome) (rate(posthorn_attempt_seconds_bucket${RATE})))`,
      },
    },
    {
      title: 'Own part of an attempt',
      description: 'Time that the service itself takes.',
      unit: 's',
      queries: quantiles('posthorn_processing_overhead_seconds'),
    },
    {
      title: 'Waiting in memory',
      description: 'For a slot of their target, and for being recorded.',
      unit: 'short',
      queries: {
        'for a slot': 'sum(posthorn_deliveries_in_memory)',
        unrecorded: 'sum(posthorn_results_unrecorded)',
      },
    },
    {
      title: 'Parked',
      description: 'Deliveries that were parked, and backlogs that are being worked off.',
      unit: 'short',
      queries: {
        'parked per second': `sum(rate(posthorn_deliveries_parked_total${RATE}))`,
        backlogs: 'sum(posthorn_backlogs_owned)',
      },
    },
    {
      title: 'Dead letters',
      description: 'Messages that could not be parsed.',
      unit: 'ops',
      queries: {
        '{{group}} {{reason}}': `sum by (group, reason) (rate(posthorn_bus_poison_total${RATE}))`,
      },
    },
    {
      title: 'Polls and mails',
      description: 'Polls that wait, and mails by outcome.',
      unit: 'short',
      queries: {
        polls: 'sum(posthorn_polls_waiting)',
        'mails {{outcome}}': `sum by (outcome) (rate(posthorn_mails_total${RATE}))`,
      },
    },
  ],
}

const RUNTIME: Dashboard = {
  uid: 'posthorn-runtime',
  title: 'Posthorn: stores and runtime',
  panels: [
    {
      title: 'Postgres connections',
      description: 'Waiting above 0 for long: the pool is too small, or Postgres too slow.',
      unit: 'short',
      queries: { '{{service}} {{state}}': 'sum by (service, state) (posthorn_pool_connections)' },
    },
    {
      title: 'Sweeping',
      description: 'The scheduler that sweeps has 1, the others 0.',
      unit: 'short',
      queries: { '{{instance}}': 'max by (instance) (posthorn_scheduler_leader)' },
    },
    {
      title: 'Stalls',
      description: 'Event loops that were blocked for over 100 ms, by what was running.',
      unit: 'ops',
      queries: {
        '{{service}} {{at}}': `sum by (service, at) (rate(posthorn_stall_seconds_count${RATE}))`,
      },
    },
    {
      title: 'Event loop',
      description: 'Lag, 99th percentile.',
      unit: 's',
      queries: { '{{service}}': 'max by (service) (nodejs_eventloop_lag_p99_seconds)' },
    },
    {
      title: 'Resident memory',
      description: 'Of each process.',
      unit: 'bytes',
      queries: {
        '{{service}} {{instance}}': 'max by (service, instance) (process_resident_memory_bytes)',
      },
    },
    {
      title: 'Heap in use',
      description: 'After garbage was left to lie.',
      unit: 'bytes',
      queries: { '{{service}}': 'sum by (service) (nodejs_heap_size_used_bytes)' },
    },
    {
      title: 'Garbage collection',
      description: 'Seconds per second.',
      unit: 'percentunit',
      queries: { '{{service}}': `sum by (service) (rate(nodejs_gc_duration_seconds_sum${RATE}))` },
    },
    {
      title: 'Processor',
      description: 'Cores in use.',
      unit: 'short',
      queries: { '{{service}}': `sum by (service) (rate(process_cpu_seconds_total${RATE}))` },
    },
    {
      title: 'Clock steps',
      description: 'Ids and leases follow the clock of Postgres.',
      unit: 'short',
      queries: { '{{clock}}': `sum by (clock) (increase(posthorn_clock_steps_total${RATE}))` },
    },
  ],
}

export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, PIPELINE, RUNTIME]

const SOURCE = { type: 'prometheus', uid: '${source}' }

export function dashboardFile({ uid, title, panels }: Dashboard): string {
  const dashboard = {
    uid,
    title,
    tags: ['posthorn'],
    schemaVersion: 42,
    editable: false,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map((panel, at) => ({
      id: at + 1,
      type: 'timeseries',
      title: panel.title,
      description: panel.description,
      datasource: SOURCE,
      gridPos: {
        x: (at % COLUMNS) * WIDTH,
        y: Math.floor(at / COLUMNS) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      options: {
        legend: { displayMode: 'list', placement: 'bottom' },
        tooltip: { mode: 'multi', sort: 'desc' },
      },
      targets: Object.entries(panel.queries).map(([legendFormat, expr], index) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + index),
        datasource: SOURCE,
        expr,
        legendFormat,
      })),
    })),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
