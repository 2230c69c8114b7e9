import { expect, test } from '@jest/globals'
import { atOnce } from '@posthorn/domain/at-once'
import { parseInSteps, UNREAD } from '@posthorn/domain/json-in-steps'
import { type Candidate, evaluateCandidate, type MatchedEvent } from './mismatch.ts'

const endpoint: Candidate = {
  id: 'e',
  projectId: 'p',
  eventTypes: ['order.*'],
  filter: null,
  createdAt: new Date(1_000),
  deletedAt: null,
}
const event: MatchedEvent = {
  projectId: 'p',
  eventType: 'order.paid',
  payload: { amount: 5, lines: [{ n: 1 }, { n: 2 }] },
  fannedOutAt: new Date(2_000),
  isTest: false,
  endpointIds: null,
}
const condition = { field: '$.amount', operator: 'gte', value: 10 } as const

test.each<[string, Partial<Candidate>, Partial<MatchedEvent>, string]>([
  ['another project', { projectId: 'q' }, {}, 'project'],
  ['an endpoint made later', { createdAt: new Date(2_001) }, {}, 'created_later'],
  ['one that was gone', { deletedAt: new Date(2_000) }, {}, 'deleted'],
  [
    'one that is gone before the fan-out',
    { deletedAt: new Date(1_500) },
    { fannedOutAt: null },
    'deleted',
  ],
  ['a test of another endpoint', {}, { isTest: true }, 'test'],
  ['an event for others', {}, { endpointIds: ['f'] }, 'destination'],
  ['another type', { eventTypes: ['invoice.*'] }, {}, 'type'],
  ['one that would match now', {}, {}, 'changed'],
  ['one that was deleted afterwards', { deletedAt: new Date(2_001) }, {}, 'changed'],
])('%s', (_, ofEndpoint, ofEvent, reason) => {
  const result = evaluateCandidate({ ...endpoint, ...ofEndpoint }, { ...event, ...ofEvent })
  expect(result).toEqual({ matched: false, reason, filter: null })
})

test('the first condition that fails, with what was found', () => {
  const filter = [{ field: '$.lines[*].n', operator: 'eq', value: 2 } as const, condition]
  expect(evaluateCandidate({ ...endpoint, filter }, event)).toEqual({
    matched: false,
    reason: 'filter',
    filter: { condition, index: 1, found: [5], tooCostly: false },
  })
})

test('a filter that is too costly on this payload says so, and long values are cut short', () => {
  const costly = { field: '$.text', operator: 'regex', value: 'a[ab]{480}[cd]' } as const
  const text = 'ab'.repeat(30_000)
  const given = { ...event, payload: { text } }
  const result = evaluateCandidate({ ...endpoint, filter: [costly] }, given)
  expect(result).toMatchObject({ reason: 'filter', filter: { index: 0, tooCostly: true } })
  expect(JSON.stringify(result).length).toBeLessThan(2_000)
})

test('what was not read, or has too many members to be listed, is shown as left out', () => {
  const members = Array.from({ length: 20_000 }, (_, n) => `"f${n}":1`).join()
  const crowded = atOnce(parseInSteps(`{${members}}`))
  const filter = [{ field: '$.v', operator: 'eq', value: {} } as const]
  for (const v of [UNREAD, [1, UNREAD], crowded]) {
    const result = evaluateCandidate({ ...endpoint, filter }, { ...event, payload: { v } })
    expect(result).toMatchObject({ filter: { found: ['…'] } })
  }
})

test('a filter that can’t be evaluated holds back nothing, as at the fan-out', () => {
  const filter = [{ field: '$[', operator: 'eq', value: 1 } as const]
  expect(evaluateCandidate({ ...endpoint, filter }, event)).toMatchObject({ reason: 'changed' })
})

test('an event for it matches whatever it subscribes to, in whichever project, but not past its filter', () => {
  const named = { ...event, fannedOutAt: null, endpointIds: ['f', 'e'] }
  const elsewhere = { ...endpoint, projectId: 'q', eventTypes: ['invoice.*'] }
  expect(evaluateCandidate(elsewhere, named)).toEqual({ matched: true })
  expect(evaluateCandidate({ ...elsewhere, filter: [condition] }, named)).toMatchObject({
    reason: 'filter',
  })
})

test('before the fan-out an endpoint that matches will get it', () => {
  const waiting = { ...event, fannedOutAt: null }
  expect(evaluateCandidate({ ...endpoint, filter: [] }, waiting)).toEqual({ matched: true })
  expect(evaluateCandidate({ ...endpoint, filter: [condition] }, waiting)).toMatchObject({
    reason: 'filter',
  })
})
