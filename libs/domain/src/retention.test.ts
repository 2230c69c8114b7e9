import { expect, test } from '@jest/globals'
import { retentionDays } from './retention.ts'

const NONE = { events: null, attempts: null, auditLogs: null, authAudit: null }

test('without settings of its own a tenant has those of its plan', () => {
  expect(retentionDays('free', NONE)).toEqual({
    events: 7,
    attempts: 7,
    auditLogs: 30,
    authAudit: 30,
  })
  expect(retentionDays('self_hosted', NONE)).toEqual({
    events: 90,
    attempts: 30,
    auditLogs: 365,
    authAudit: 365,
  })
})

test('each setting replaces its own default alone, 0 as well', () => {
  expect(retentionDays('free', { ...NONE, events: 0 })).toMatchObject({ events: 0, attempts: 7 })
  expect(retentionDays('growth', { ...NONE, attempts: 2, authAudit: 5 })).toEqual({
    events: 90,
    attempts: 2,
    auditLogs: 365,
    authAudit: 5,
  })
})

test('of an unknown plan nothing is removed', () => {
  expect(retentionDays('later', NONE)).toEqual({
    events: 0,
    attempts: 0,
    auditLogs: 0,
    authAudit: 0,
  })
})
