/**
 * For each alert, series with which it fires, and series with which it must not. They have a value
 * each minute.
 */

export interface AlertCase {
  firing: Readonly<Record<string, string>>
  silent: readonly Readonly<Record<string, string>>[]
  at: string
  /** Labels that the alert has besides its severity. */
  labels?: Readonly<Record<string, string>>
  severities?: readonly string[]
}

const BOTH = ['page', 'ticket']
const requests = (status: string, service = 'ingest-api'): string =>
  `posthorn_http_requests_total{service="${service}",route="createEvent",status="${status}"}`
const count = 'posthorn_http_request_seconds_count{service="portal-api",route="listEndpoints"}'
const quick =
  'posthorn_http_request_seconds_bucket{service="portal-api",route="listEndpoints",le="1"}'
const polls = 'posthorn_http_request_seconds_count{service="portal-api",route="poll"}'
const due = 'posthorn_oldest_due_age_seconds{service="retry-scheduler"}'
const lag = 'posthorn_consumer_lag{service="fanout",group="fanout",topic="event.accepted"}'

export const CASES: Readonly<Record<string, AlertCase>> = {
  PosthornAcceptFails: {
    firing: { [requests('201')]: '0+900x120', [requests('503')]: '0+100x120' },
    silent: [
      { [requests('201')]: '0+1000x120' },
      { [requests('400')]: '0+1000x120' },
      { [requests('201')]: '5+0x120', [requests('503')]: '5+0x120' },
      { [requests('503', 'fanout')]: '0+1000x120' },
      {},
    ],
    at: '110m',
    severities: BOTH,
  },
  PosthornStartsLate: {
    firing: { [due]: '30+0x120' },
    silent: [{ [due]: '2+0x120' }, {}],
    at: '110m',
    severities: BOTH,
  },
  PosthornManagementFails: {
    firing: { [count]: '0+100x120', [quick]: '0+50x120' },
    silent: [
      { [count]: '0+100x120', [quick]: '0+100x120' },
      { [polls]: '0+100x120', [count]: '0+100x120', [quick]: '0+100x120' },
      {},
    ],
    at: '110m',
    severities: BOTH,
  },
  PosthornOverdue: { firing: { [due]: '120+0x10' }, silent: [{ [due]: '50+0x10' }], at: '5m' },
  PosthornSchedulerSilent: {
    firing: { 'posthorn_scheduler_leader{instance="a"}': '0+0x10' },
    silent: [
      {
        'posthorn_scheduler_leader{instance="a"}': '0+0x10',
        'posthorn_scheduler_leader{instance="b"}': '1+0x10',
      },
    ],
    at: '5m',
    severities: ['page'],
  },
  PosthornResultsUnrecorded: {
    firing: { 'posthorn_results_unrecorded{service="dispatcher",instance="a"}': '1990+0x10' },
    silent: [{ 'posthorn_results_unrecorded{service="dispatcher",instance="a"}': '900+0x10' }],
    at: '5m',
    labels: { service: 'dispatcher', instance: 'a' },
  },
  PosthornTargetDown: {
    firing: { 'up{job="posthorn",instance="a"}': '0+0x10' },
    silent: [
      { 'up{job="posthorn",instance="a"}': '1 0 1 0 1 0 1 0' },
      { 'up{job="node",instance="a"}': '0+0x10' },
    ],
    at: '6m',
    labels: { job: 'posthorn', instance: 'a' },
    severities: ['ticket'],
  },
  PosthornLagGrows: {
    firing: { [lag]: '0+600x60' },
    silent: [{ [lag]: '5000+0x60' }, { [lag]: '90000-600x60' }, { [lag]: '0+1x60' }],
    at: '40m',
    labels: { group: 'fanout', topic: 'event.accepted' },
    severities: ['ticket'],
  },
  PosthornDeadLetter: {
    firing: {
      'posthorn_bus_poison_total{group="fanout",topic="event.accepted",reason="no-json"}': '0+1x20',
    },
    silent: [
      {
        'posthorn_bus_poison_total{group="fanout",topic="event.accepted",reason="no-json"}':
          '3+0x20',
      },
    ],
    at: '20m',
    labels: { group: 'fanout', topic: 'event.accepted' },
    severities: ['ticket'],
  },
  PosthornPoolExhausted: {
    firing: { 'posthorn_pool_connections{service="fanout",state="waiting"}': '2+0x10' },
    silent: [
      { 'posthorn_pool_connections{service="fanout",state="waiting"}': '2 0 2 0 2 0 2 0 2 0' },
      { 'posthorn_pool_connections{service="fanout",state="idle"}': '2+0x10' },
    ],
    at: '8m',
    labels: { service: 'fanout', state: 'waiting' },
    severities: ['ticket'],
  },
  PosthornStalls: {
    firing: { 'posthorn_stall_seconds_count{service="fanout",at="event.accepted"}': '0+2x60' },
    silent: [
      { 'posthorn_stall_seconds_count{service="fanout",at="event.accepted"}': '90+0x60' },
      { 'posthorn_stall_seconds_count{service="fanout",at="off-cpu"}': '0+9x60' },
    ],
    at: '50m',
    labels: { service: 'fanout', at: 'event.accepted' },
    severities: ['ticket'],
  },
  PosthornClockStepped: {
    firing: { 'posthorn_clock_steps_total{service="fanout",clock="postgres"}': '0 0 0 1+0x30' },
    silent: [{ 'posthorn_clock_steps_total{service="fanout",clock="machine"}': '0 0 0 1+0x30' }],
    at: '20m',
    severities: ['ticket'],
  },
}
