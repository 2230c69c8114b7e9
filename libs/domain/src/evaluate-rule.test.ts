/** The table of an alert rule's states, over all pairs of state and window. */
import { describe, expect, test } from '@jest/globals'
import { ALERT_METRICS, type AlertOperator } from './alert-condition.ts'
import { evaluateRule, metricValue, type RuleState, type RuleTerms } from './evaluate-rule.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const TERMS: RuleTerms = { operator: 'gt', threshold: 50, cooldownMs: 5 * MINUTE }
const MATCHES = 62.5
const OK: RuleState = { state: 'ok', episode: 3, notified: 0, notifiedAt: null }
const FIRING: RuleState = { state: 'firing', episode: 3, notified: 2, notifiedAt: NOW - MINUTE }
const LONG_AGO = NOW - 5 * MINUTE

describe('ok', () => {
  test('and the window matches: a new episode fires and is notified of', () => {
    for (const notifiedAt of [null, LONG_AGO]) {
      expect(evaluateRule(TERMS, { ...OK, notified: 7, notifiedAt }, MATCHES, NOW)).toEqual({
        state: 'firing',
        episode: 4,
        notified: 1,
        notifiedAt: NOW,
        matched: true,
        notification: { status: 'firing', sequence: 1 },
      })
    }
  })

  test('and the window matches within the cooldown: it fires, and nobody is told yet', () => {
    const before = { ...OK, notified: 7, notifiedAt: LONG_AGO + 1 }
    const first = evaluateRule(TERMS, before, MATCHES, NOW)
    expect(first).toEqual({
      state: 'firing',
      episode: 4,
      notified: 0,
      notifiedAt: LONG_AGO + 1,
      matched: true,
      notification: null,
    })
    const later = evaluateRule(TERMS, first, MATCHES, NOW + 1)
    expect(later).toMatchObject({ notified: 1, notification: { status: 'firing', sequence: 1 } })
  })

  test.each([
    ['does not match', 50],
    ['has no data', null],
  ])('and the window %s: it stays', (_, value) => {
    expect(evaluateRule(TERMS, OK, value, NOW)).toEqual({
      ...OK,
      matched: false,
      notification: null,
    })
  })
})

describe('firing', () => {
  test('and the window matches: again after each cooldown, and not before', () => {
    const early = evaluateRule(TERMS, FIRING, MATCHES, NOW)
    expect(early).toEqual({ ...FIRING, matched: true, notification: null })
    const due = evaluateRule(TERMS, { ...FIRING, notifiedAt: LONG_AGO }, MATCHES, NOW)
    expect(due).toEqual({
      ...FIRING,
      notified: 3,
      notifiedAt: NOW,
      matched: true,
      notification: { status: 'firing', sequence: 3 },
    })
  })

  test.each([
    ['does not match', 50],
    ['has no data', null],
  ])('and the window %s: it resolves, and says so once', (_, value) => {
    const resolved = evaluateRule(TERMS, FIRING, value, NOW)
    expect(resolved).toEqual({
      ...FIRING,
      state: 'ok',
      matched: false,
      notification: { status: 'resolved', sequence: 1 },
    })
    expect(evaluateRule(TERMS, resolved, value, NOW)).toMatchObject({ notification: null })
  })

  test('and nobody was told of it: nobody is told that it resolved', () => {
    const silent = { ...FIRING, notified: 0 }
    expect(evaluateRule(TERMS, silent, 50, NOW)).toMatchObject({ state: 'ok', notification: null })
  })
})

test.each([
  ['gt', [false, false, true]],
  ['gte', [false, true, true]],
  ['lt', [true, false, false]],
  ['lte', [true, true, false]],
  ['eq', [false, true, false]],
  ['ne', [true, false, true]],
] as [AlertOperator, boolean[]][])('%s compares below, at and above', (operator, wanted) => {
  const matched = [49, 50, 51].map(
    (value) => evaluateRule({ ...TERMS, operator }, OK, value, NOW).matched,
  )
  expect(matched).toEqual(wanted)
})

test('an hour of a flapping metric notifies of firing at most once a cooldown', () => {
  let state: RuleState = OK
  const told: number[] = []
  let [resolved, episodesTold] = [0, 0]
  for (let tick = 0; tick < 360; tick += 1) {
    const now = NOW + tick * 10_000
    const after = evaluateRule(TERMS, state, tick % 3 === 0 ? 40 : 60, now)
    if (after.notification?.status === 'firing') {
      told.push(now)
      if (after.notification.sequence === 1) episodesTold += 1
    }
    if (after.notification?.status === 'resolved') resolved += 1
    state = after
  }
  expect(told.length).toBeGreaterThan(10)
  for (const [at, time] of told.slice(1).entries()) {
    expect(time - (told[at] as number)).toBeGreaterThanOrEqual(TERMS.cooldownMs)
  }
  expect(Math.abs(episodesTold - resolved)).toBeLessThanOrEqual(1)
})

describe('a metric', () => {
  const counts = { succeeded: 3, failed: 5, latencyMs: 120, waiting: 7 }
  const empty = { succeeded: 0, failed: 0, latencyMs: null, waiting: 0 }

  test.each([
    ['failure_rate', 62.5, null],
    ['success_rate', 37.5, null],
    ['latency', 120, null],
    ['queue_depth', 7, 0],
    ['error_count', 5, 0],
    ['delivery_count', 8, 0],
  ] as const)('%s is %d, and over an empty window %p', (metric, value, ofNothing) => {
    expect(metricValue(metric, counts)).toBe(value)
    expect(metricValue(metric, empty)).toBe(ofNothing)
  })

  test('of each name has a value', () => {
    for (const metric of ALERT_METRICS) expect(metricValue(metric, counts)).not.toBeNull()
  })
})
