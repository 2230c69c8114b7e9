import { describe, expect, test } from '@jest/globals'
import { decideAdmission } from './decide-admission.ts'
import type { TenantConfig } from './read-tenant.ts'
import type { EndpointEntry, ResolvedTarget } from './resolve-target.ts'

const target = { url: 'https://example.com' } as ResolvedTarget
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
  active: { status: 'active', target },
  paused: { status: 'paused', target },
  disabled: { status: 'disabled', target },
  polled: { status: 'polled', target },
  deleted: { status: 'deleted', target: null },
})

describe('decideAdmission', () => {
  test.each([
    ['active', { outcome: 'send', target }],
    ['paused', { outcome: 'park', targetId: 'paused' }],
    ['disabled', { outcome: 'park', targetId: 'disabled' }],
    ['polled', { outcome: 'park', targetId: 'polled' }],
    ['deleted', { outcome: 'cancel', reason: 'endpoint deleted' }],
  ])('for an endpoint that is %s', (endpointId, expected) => {
    expect(decideAdmission({ endpointId, destination: null }, known, false)).toEqual(expected)
  })

  test('for an endpoint that is not known asks again before it gives up', () => {
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

  test('for a direct event sends to its destination', () => {
    const message = { endpointId: null, destination: 'https://direct.example' }
    expect(decideAdmission(message, known, false)).toEqual({ outcome: 'send', target: direct })
    expect(decideAdmission({ ...message, destination: null }, known, false).outcome).toBe('cancel')
  })
})
