import { expect, test } from '@jest/globals'
import { retentionDays } from './retention.ts'

const NONE = { events: null, attempts: null }

test('without settings of its own a tenant has those of its plan', () => {
  expect(retentionDays('free', NONE)).toEqual({ events: 7, attempts: 7 })
  expect(retentionDays('self_hosted', NONE)).toEqual({ events: 90, attempts: 30 })
})

test('each setting replaces its own default alone, 0 as well', () => {
  expect(retentionDays('free', { events: 0, attempts: null })).toEqual({ events: 0, attempts: 7 })
  expect(retentionDays('growth', { events: null, attempts: 2 })).toEqual({
    events: 90,
    attempts: 2,
  })
})

test('of an unknown plan nothing is removed', () => {
  expect(retentionDays('later', NONE)).toEqual({ events: 0, attempts: 0 })
})
