import { expect, test } from '@jest/globals'
import { grants, RESOURCES, SCOPES, type Scope } from './scopes.ts'

test.each<[string[], Scope, boolean]>([
  [['*'], 'events:write', true],
  [['events:read'], 'events:read', true],
  [['events:write'], 'events:read', true],
  [['events:read'], 'events:write', false],
  [['deliveries:write'], 'events:read', false],
  [['api-keys:write'], 'api-keys:read', true],
  [['events:read', 'team:write'], 'team:read', true],
  [['events'], 'events:read', false],
  [['events:*'], 'events:read', false],
  [[], 'events:read', false],
  [['events:write'], '*', false],
  [['*'], '*', true],
])('%j grants %s: %s', (granted, needed, expected) => {
  expect(grants(granted, needed)).toBe(expected)
})

test('each resource has two scopes, and * is one', () => {
  expect(new Set(SCOPES).size).toBe(RESOURCES.length * 2 + 1)
  expect(SCOPES).toContain('sub-accounts:read')
})
