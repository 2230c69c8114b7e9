/**
 * The catalog of metrics. No label has unbounded values, so none names a tenant, an endpoint, a URL
 * or an id. Each process adds the label `service`.
 */
export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in the metric's unit. */
  readonly buckets?: readonly number[]
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

function metric<const Entry extends Metric>(entry: Entry): Entry {
  return entry
}

export const METRICS = {
  posthorn_build_info: metric({
    kind: 'gauge',
    help: 'Always 1: which version of Posthorn runs, on which Node.js',
    labels: ['version', 'node'],
  }),
  posthorn_http_requests_total: metric({
    kind: 'counter',
    help: 'API requests answered',
    labels: ['route', 'status'],
  }),
  posthorn_http_request_seconds: metric({
    kind: 'histogram',
    help: 'Time from a request to its answer',
    labels: ['route'],
    buckets: SECONDS,
  }),
  posthorn_audit_missing_total: metric({
    kind: 'counter',
    help: 'Requests that changed something without an audit row: a mistake of the program',
    labels: ['route'],
  }),
  posthorn_stall_seconds: metric({
    kind: 'histogram',
    help:
      'Times for which the event loop was blocked for over 100 ms, by what was running: a route, ' +
      'a topic, `ticker <name>`, `off-cpu` (stopped, without processor time, or in a ' +
      'synchronous call) or `unknown`',
    labels: ['at'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  }),
  posthorn_events_accepted_total: metric({
    kind: 'counter',
    help: 'Events accepted: direct, typed, direct in a batch, or inbound from a platform',
    labels: ['kind'],
  }),
  posthorn_inbound_total: metric({
    kind: 'counter',
    help:
      'Requests to inbound endpoints by platform: accepted, repeated, dropped (by its script), ' +
      'handshake, or why it was refused',
    labels: ['source', 'outcome'],
  }),
  posthorn_events_fanned_out_total: metric({
    kind: 'counter',
    help: 'Events by type whose deliveries were made',
    labels: [],
  }),
  posthorn_flood_pause_seconds_total: metric({
    kind: 'counter',
    help: "Time for which fan-out paused floods because others' deliveries went beside them",
    labels: [],
  }),
  posthorn_deliveries_total: metric({
    kind: 'counter',
    help:
      'Attempts recorded, by what followed: delivered, retry or dead; ' +
      'category is empty on success',
    labels: ['outcome', 'category'],
  }),
  posthorn_attempt_seconds: metric({
    kind: 'histogram',
    help: 'Duration of an attempt, from its first byte sent to its result',
    labels: ['outcome'],
    buckets: SECONDS,
  }),
  posthorn_delivery_latency_seconds: metric({
    kind: 'histogram',
    help: 'Time from acceptance (or the end of the delay) to success',
    labels: [],
    buckets: SECONDS,
  }),
  posthorn_processing_overhead_seconds: metric({
    kind: 'histogram',
    help: 'Time of an attempt that the service itself takes',
    labels: [],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  }),
  posthorn_attempts_in_flight: metric({ kind: 'gauge', help: 'Attempts under way', labels: [] }),
  posthorn_results_unrecorded: metric({
    kind: 'gauge',
    help: 'Results of attempts that are not recorded in Postgres yet',
    labels: [],
  }),
  posthorn_deliveries_in_memory: metric({
    kind: 'gauge',
    help: 'Deliveries that wait in memory for a slot of their target',
    labels: [],
  }),
  posthorn_deliveries_parked_total: metric({
    kind: 'counter',
    help: 'Deliveries parked at their target',
    labels: [],
  }),
  posthorn_circuit_changes_total: metric({
    kind: 'counter',
    help: 'Circuits of endpoints that opened, reopened after a failed probe, or closed',
    labels: ['change'],
  }),
  posthorn_backlogs_owned: metric({
    kind: 'gauge',
    help: 'Backlogs whose lease this process has',
    labels: [],
  }),
  posthorn_announced_total: metric({
    kind: 'counter',
    help:
      'Rows that the sweep announced, by kind: event, delivery, backlog or poll ' +
      '(endpoints with something to fetch)',
    labels: ['kind'],
  }),
  posthorn_queue_depth: metric({
    kind: 'gauge',
    help: 'Rows that wait, by kind: due (their time has come), scheduled (it will come), parked',
    labels: ['kind'],
  }),
  posthorn_oldest_due_age_seconds: metric({
    kind: 'gauge',
    help: 'Age of the oldest row that is due and not announced',
    labels: [],
  }),
  posthorn_scheduler_leader: metric({
    kind: 'gauge',
    help: '1 on the instance that sweeps, 0 on those that stand by',
    labels: [],
  }),
  posthorn_consumer_lag: metric({
    kind: 'gauge',
    help: 'Messages that are not read yet',
    labels: ['group', 'topic'],
  }),
  posthorn_bus_poison_total: metric({
    kind: 'counter',
    help:
      'Messages that could not be parsed, by reason: empty, no-json, ' +
      'no-value (does not match the topic)',
    labels: ['group', 'topic', 'reason'],
  }),
  posthorn_polls_waiting: metric({
    kind: 'gauge',
    help: 'Polls that wait for events',
    labels: [],
  }),
  posthorn_mails_total: metric({
    kind: 'counter',
    help:
      'Attempts to send a mail, by what followed: sent (or logged, without SMTP_URL), retry, ' +
      'refused (by the server, for good) or failed',
    labels: ['kind', 'outcome'],
  }),
  posthorn_alert_rules_evaluated_total: metric({
    kind: 'counter',
    help: 'Evaluations of alert rules',
    labels: [],
  }),
  posthorn_alert_evaluation_lag_seconds: metric({
    kind: 'gauge',
    help: 'How long the alert rule that has waited longest has been due to be evaluated',
    labels: [],
  }),
  posthorn_notifications_total: metric({
    kind: 'counter',
    help:
      'Attempts to send a notification of an alert rule or of an event that a connector ' +
      'subscribes to, by type of target and by what followed: sent, retry, failed or dropped ' +
      '(nobody needed it any more)',
    labels: ['target', 'outcome'],
  }),
  posthorn_clock_steps_total: metric({
    kind: 'counter',
    help:
      'Steps of a clock by more than a second: machine (nothing depends on it), or postgres ' +
      '(ids and leases follow it)',
    labels: ['clock'],
  }),
  posthorn_rollup_lag_seconds: metric({
    kind: 'gauge',
    help:
      'Age of the oldest of what was added to the rollups last; 0: there was nothing. Minutes are ' +
      'normal with thousands of tenants: counts that are read are added before',
    labels: [],
  }),
  posthorn_rollup_outbox_folded_total: metric({
    kind: 'counter',
    help: 'Rows of the outbox that were added to the rollups',
    labels: [],
  }),
  posthorn_stats_sockets: metric({
    kind: 'gauge',
    help: 'WebSockets that are sent live stats',
    labels: [],
  }),
  posthorn_stats_sockets_closed_total: metric({
    kind: 'counter',
    help:
      'WebSockets of live stats that were closed, by reason: client (it left), slow, silent, ' +
      'unauthorized (its key or session is not in force any more) or stopping',
    labels: ['reason'],
  }),
  posthorn_pool_connections: metric({
    kind: 'gauge',
    help: 'Postgres connections, by state: total, idle, waiting',
    labels: ['state'],
  }),
} as const

export type MetricName = keyof typeof METRICS
