/** The catalog of figures: each one's row, unit, which way is better, and the aim. */
import type { Mode } from './options.ts'

export interface Figure {
  row: number
  title: string
  unit: '/s' | 'ms' | 's' | 'MiB' | '%' | 'x' | 'CPU-s'
  better: 'higher' | 'lower'
  aims: Partial<Record<Mode, number>>
}

const both = (standalone: number, cluster: number): Figure['aims'] => ({ standalone, cluster })

export const FIGURES = {
  'direct.perSecond': {
    row: 1,
    title: 'direct events, 480 bytes, 64 connections: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: both(4_000, 2_500),
  },
  'direct.cpuPer1000': {
    row: 1,
    title: 'processor seconds per 1,000 of them, all processes and stores',
    unit: 'CPU-s',
    better: 'lower',
    aims: both(0.3, 0.55),
  },
  'latency.at200.p50': {
    row: 2,
    title: 'post to arrival at 200/s: p50',
    unit: 'ms',
    better: 'lower',
    aims: both(3, 8),
  },
  'latency.at200.p99': {
    row: 2,
    title: 'post to arrival at 200/s: p99',
    unit: 'ms',
    better: 'lower',
    aims: both(10, 40),
  },
  'latency.at1000.p50': {
    row: 2,
    title: 'post to arrival at 1,000/s: p50',
    unit: 'ms',
    better: 'lower',
    aims: both(3, 12),
  },
  'latency.at1000.p99': {
    row: 2,
    title: 'post to arrival at 1,000/s: p99',
    unit: 'ms',
    better: 'lower',
    aims: both(40, 60),
  },
  'byType.perSecond': {
    row: 3,
    title: 'by type, 1 subscriber among 1,000 endpoints: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: both(3_500, 2_200),
  },
  'fanOut.perSecond': {
    row: 4,
    title: 'by type, 100 subscribers: deliveries/s',
    unit: '/s',
    better: 'higher',
    aims: both(6_000, 4_000),
  },
  'batch.perSecond': {
    row: 5,
    title: 'batch route, 100 a call: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: both(5_000, 3_000),
  },
  'hanging.p99': {
    row: 6,
    title: 'beside an endpoint that hangs 30 s, 100/s each: p99 of the healthy one',
    unit: 'ms',
    better: 'lower',
    aims: both(20, 60),
  },
  'manyBad.p99': {
    row: 7,
    title: '1,000 endpoints, 50 hang and 50 refuse, 500/s over all: p99 of the healthy',
    unit: 'ms',
    better: 'lower',
    aims: both(50, 100),
  },
  'slow.perSecond': {
    row: 8,
    title: '16 endpoints that take 200 ms, 1 dispatcher: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: both(2_000, 2_000),
  },
  'slow.perSecondOf1': {
    row: 8,
    title: 'the same with MAX_TRIES_IN_FLIGHT at 128, 1 dispatcher: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: {},
  },
  'slow.perSecondOf4': {
    row: 8,
    title: 'the same with 4 dispatchers: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: {},
  },
  'slow.scale': {
    row: 8,
    title: 'from 1 to 4 dispatchers',
    unit: 'x',
    better: 'higher',
    aims: { cluster: 3.5 },
  },
  'pause.secondsBack': {
    row: 9,
    title: 'an endpoint at 1,000/s pauses for 2 s: time until its latency is back',
    unit: 's',
    better: 'lower',
    aims: both(5, 5),
  },
  'large.perSecond': {
    row: 10,
    title: 'payloads of 256 KiB: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: both(80, 60),
  },
  'filled.perSecond': {
    row: 11,
    title: 'row 1 after 5 million finished events: delivered/s',
    unit: '/s',
    better: 'higher',
    aims: {},
  },
  'filled.share': {
    row: 11,
    title: 'share of row 1',
    unit: '%',
    better: 'higher',
    aims: both(90, 90),
  },
  'backlog.memory': {
    row: 12,
    title: '500,000 due deliveries for an endpoint that is down: the largest Node process',
    unit: 'MiB',
    better: 'lower',
    aims: both(300, 300),
  },
  'backlog.secondsToFirst': {
    row: 12,
    title: 'first delivery after the endpoint is back',
    unit: 's',
    better: 'lower',
    aims: both(1, 1),
  },
  'backlog.perSecond': {
    row: 12,
    title: 'delivered/s from then on',
    unit: '/s',
    better: 'higher',
    aims: both(3_000, 2_000),
  },
  'idle.cpu': {
    row: 13,
    title: 'idle: processor time of all processes, of one core',
    unit: '%',
    better: 'lower',
    aims: both(1, 4),
  },
  'reads.p99': {
    row: 14,
    title: 'lists and details over 5 million events, the slowest of them: p99',
    unit: 'ms',
    better: 'lower',
    aims: both(30, 30),
  },
  'flood.shared.p99': {
    row: 15,
    title: '2,000 events to 100 endpoints, 50 hang at the origin of all: p99 of another URL there',
    unit: 'ms',
    better: 'lower',
    aims: both(50, 150),
  },
  'flood.shared.perSecond': {
    row: 15,
    title: 'deliveries/s to the healthy 50 meanwhile',
    unit: '/s',
    better: 'higher',
    aims: both(3_000, 2_000),
  },
  'flood.elsewhere.p99': {
    row: 15,
    title: 'the same with the hanging ones at an origin of their own: p99 of another URL',
    unit: 'ms',
    better: 'lower',
    aims: both(50, 150),
  },
  'flood.elsewhere.perSecond': {
    row: 15,
    title: 'deliveries/s to the healthy 50 meanwhile',
    unit: '/s',
    better: 'higher',
    aims: both(3_000, 2_000),
  },
  'logins.p99': {
    row: 16,
    title: '20 logins/s by password beside 500 events/s: p99 of a login',
    unit: 'ms',
    better: 'lower',
    aims: both(150, 150),
  },
  'logins.events': {
    row: 16,
    title: 'p99 of the events, to what it is without logins',
    unit: 'x',
    better: 'lower',
    aims: both(1.1, 1.1),
  },
  'tenants.p99': {
    row: 17,
    title:
      '500 events/s by type over 10,000 sub-accounts with 2 endpoints each, after their first: p99, to one tenant’s',
    unit: 'x',
    better: 'lower',
    aims: both(1.2, 1.2),
  },
  'tenants.memory': {
    row: 17,
    title: 'memory of a dispatcher or fan-out, beyond one tenant’s',
    unit: 'MiB',
    better: 'lower',
    aims: both(50, 50),
  },
  'tenants.flooded': {
    row: 17,
    title: 'p99 of the others while one posts a hundred times its share, to what it is without',
    unit: 'x',
    better: 'lower',
    aims: both(2, 2),
  },
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof FIGURES
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[]

export function figure(name: FigureName): Figure {
  return FIGURES[name]
}

export function rowOf(name: FigureName): number {
  return FIGURES[name].row
}
