import { describe, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { decideAdmission, takeBy, mayStillSend, RENEWED_WITHIN_MS } from './decide-admission.ts'
import type { EndpointEntry, TenantConfig, ResolvedTarget } from './tenant-config.ts'

const way = { url: 'https://example.com' } as ResolvedTarget
const direct = { url: 'https://direct.example' } as ResolvedTarget

function tenant(entries: Record<string, EndpointEntry>): TenantConfig {
  return {
    endpoints: new Map(Object.entries(entries)),
    direct: () => direct,
    notedDeleted: 0,
    operationalEventPatterns: new Map(),
  }
}

const known = tenant({
  active: { status: 'active', target: way },
  paused: { status: 'paused', target: way },
  disabled: { status: 'disabled', target: way },
  polled: { status: 'polled', target: way },
  deleted: { status: 'deleted', target: null },
})

describe('decideAdmission', () => {
  test.each([
    ['active', { outcome: 'send', way }],
    ['paused', { outcome: 'hold', targetId: 'paused' }],
    ['disabled', { outcome: 'hold', targetId: 'disabled' }],
    ['polled', { outcome: 'hold', targetId: 'polled' }],
    ['deleted', { outcome: 'cancel', reason: 'endpoint deleted' }],
  ])('of an endpoint that is %s', (endpointId, expected) => {
    expect(decideAdmission({ endpointId, destination: null }, known, false)).toEqual(expected)
  })

  test('of an endpoint that is not known asks again before it gives up', () => {
    const message = { endpointId: 'new', destination: null }
    expect(decideAdmission(message, known, false)).toEqual({ outcome: 'unknown' })
    expect(decideAdmission(message, known, true)).toEqual({
      outcome: 'cancel',
      reason: 'endpoint deleted',
    })
    expect(decideAdmission(message, null, false)).toEqual({ outcome: 'unknown' })
    expect(decideAdmission(message, null, true)).toEqual({
      outcome: 'cancel',
      reason: 'tenant deleted',
    })
  })

  test('of a direct event sends to its destination', () => {
    const message = { endpointId: null, destination: 'https://direct.example' }
    expect(decideAdmission(message, known, false)).toEqual({ outcome: 'send', way: direct })
    expect(decideAdmission({ ...message, destination: null }, known, false).outcome).toBe('cancel')
  })
})

test('a token that lasts is claimed for longer than it lasts, one that hardly does is asked for as well', () => {
  const now = 1_700_000_000_000
  const token = (leftMs: number): number => (now + leftMs) * 1_000
  expect(takeBy(token(10_000), now)).toEqual({ by: 'claim', ttlMs: 15_000 })
  expect(takeBy(token(RENEWED_WITHIN_MS), now).by).toBe('claim')
  expect(takeBy(token(RENEWED_WITHIN_MS - 1), now)).toEqual({
    by: 'claim, then renewal',
    ttlMs: 9_999,
  })
  expect(takeBy(token(-1), now)).toEqual({ by: 'claim, then renewal', ttlMs: 4_999 })
  expect(takeBy(token(-5_000), now)).toEqual({ by: 'renewal' })
  expect(takeBy(token(-60_000), now)).toEqual({ by: 'renewal' })
})

test('a lane’s head is claimed in Postgres, however much of its lease is left', () => {
  const now = 1_000_000
  const token = (now + 9_000) * 1_000
  expect(takeBy(token, now).by).toBe('claim')
  expect(takeBy(token, now, '')).toEqual({ by: 'renewal' })
})

test('a lane’s head goes out only while nobody else may have it, by the process’s own clock', () => {
  const of = (lane: string | null, lost: boolean) => ({
    message: { lane } as DueDelivery,
    lost,
    heldUntil: 500,
  })
  expect(mayStillSend(of('', false), 499)).toBe(true)
  expect(mayStillSend(of('', false), 500)).toBe(false)
  expect(mayStillSend(of('', true), 499)).toBe(false)
  expect(mayStillSend(of(null, true), 9_999)).toBe(true)
})
