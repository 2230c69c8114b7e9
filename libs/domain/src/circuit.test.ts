import { describe, expect, test } from '@jest/globals'
import {
  applyReport,
  type Circuit,
  type CircuitReport,
  healthSignal,
  requestPermit,
  viewCircuit,
} from './circuit.ts'
import { ERROR_CATEGORIES } from './classify-attempt.ts'

const POLICY = { threshold: 3, resetMs: 10_000 }
const NONE: Circuit = { failures: 0, openedAt: 0, openUntil: 0, probeUntil: 0, closedAt: 0 }
const FAILING: Circuit = { ...NONE, failures: 2 }
const OPEN: Circuit = { ...NONE, failures: 3, openedAt: 1_000, openUntil: 11_000 }
const PROBED: Circuit = { ...OPEN, probeUntil: 50_000 }

const reportOf = (signal: CircuitReport['signal'], isProbe = false): CircuitReport => ({
  signal,
  isProbe,
  durationMs: 0,
})

test.each([
  [null, 200, 'success'],
  ['http_4xx', 400, 'success'],
  ['http_4xx', 410, 'success'],
  ['http_4xx', 408, 'failure'],
  ['http_4xx', 429, 'failure'],
  ['http_5xx', 500, 'failure'],
  ['http_3xx', 301, 'failure'],
  ['timeout', 0, 'failure'],
  ['dns', 0, 'failure'],
  ['tls', 0, 'failure'],
  ['refused', 0, 'failure'],
  ['reset', 0, 'failure'],
  ['storage', 0, 'failure'],
  ['blocked', 0, 'nothing'],
  ['transformation', 0, 'nothing'],
  ['internal', 0, 'nothing'],
] as const)('an attempt that ends with %s %i counts as %s', (category, statusCode, signal) => {
  expect(healthSignal(category, statusCode)).toBe(signal)
})

test('every category says something of the circuit', () => {
  const signs = ERROR_CATEGORIES.map((category) => healthSignal(category, 500))
  expect(signs).toHaveLength(ERROR_CATEGORIES.length)
  expect(signs).not.toContain(undefined)
})

describe('afterReport', () => {
  test.each([
    ['nothing kept', undefined, reportOf('success'), undefined, null],
    ['nothing kept', undefined, reportOf('nothing'), undefined, null],
    ['nothing kept', undefined, reportOf('failure'), { ...NONE, failures: 1 }, null],
    ['failing', FAILING, reportOf('success'), undefined, null],
    ['failing', FAILING, reportOf('nothing'), FAILING, null],
    [
      'failing',
      FAILING,
      reportOf('failure'),
      { ...NONE, failures: 3, openedAt: 20_000, openUntil: 30_000 },
      'opened',
    ],
    ['open', OPEN, reportOf('success'), OPEN, null],
    ['open', OPEN, reportOf('failure'), OPEN, null],
    ['open', OPEN, reportOf('nothing'), OPEN, null],
    ['probed', PROBED, reportOf('success'), PROBED, null],
    ['probed', PROBED, reportOf('failure'), PROBED, null],
    ['probed', PROBED, reportOf('success', true), { ...NONE, closedAt: 20_000 }, 'closed'],
    ['probed', PROBED, reportOf('nothing', true), OPEN, null],
    ['probed', PROBED, reportOf('failure', true), { ...OPEN, openUntil: 30_000 }, 'reopened'],
    [
      'open, its probe late',
      OPEN,
      reportOf('success', true),
      { ...NONE, closedAt: 20_000 },
      'closed',
    ],
    ['failing, a probe of before', FAILING, reportOf('success', true), undefined, null],
  ] as const)('%s: %#', (_name, before, report, after, change) => {
    expect(applyReport(before, report, POLICY, 20_000)).toEqual({ circuit: after, change })
  })

  test('does not count what failed after the closing and began before it', () => {
    const closed: Circuit = { ...NONE, closedAt: 20_000 }
    const late: CircuitReport = { signal: 'failure', isProbe: false, durationMs: 501 }
    expect(applyReport(closed, late, POLICY, 20_500).circuit).toEqual(closed)
    const fresh: CircuitReport = { ...late, durationMs: 500 }
    expect(applyReport(closed, fresh, POLICY, 20_500).circuit).toEqual({ ...closed, failures: 1 })
  })

  test('opens at once with a threshold of one', () => {
    const one = { threshold: 1, resetMs: 1_000 }
    expect(applyReport(undefined, reportOf('failure'), one, 5).change).toBe('opened')
  })
})

test.each([
  ['nothing kept', undefined, 5_000, { state: 'closed', failures: 0, waitMs: 0 }],
  ['failing', FAILING, 5_000, { state: 'closed', failures: 2, waitMs: 0 }],
  ['open', OPEN, 5_000, { state: 'open', waitMs: 6_000 }],
  ['open, its reset over', OPEN, 11_000, { state: 'half_open', waitMs: 0 }],
  ['probed', PROBED, 20_000, { state: 'half_open', waitMs: 30_000 }],
  ['probed by somebody who died', PROBED, 50_000, { state: 'half_open', waitMs: 0 }],
] as const)('%s is shown as it is', (_name, circuit, now, view) => {
  expect(viewCircuit(circuit, now)).toMatchObject(view)
})

test('exactly one may pass an open circuit, once its reset is over, until its lease ends', () => {
  expect(requestPermit(FAILING, 30_000, 0).permit).toEqual({ outcome: 'closed' })
  expect(requestPermit(OPEN, 30_000, 10_999).permit).toEqual({ outcome: 'wait', afterMs: 1 })
  const first = requestPermit(OPEN, 30_000, 11_000)
  expect(first.permit).toEqual({ outcome: 'probe' })
  const second = requestPermit(first.circuit, 30_000, 12_000)
  expect(second.permit).toEqual({ outcome: 'wait', afterMs: 29_000 })
  expect(requestPermit(second.circuit, 30_000, 41_000).permit).toEqual({ outcome: 'probe' })
})
