import { expect, test } from '@jest/globals'
import { isAtLeast, leastRoleOf, ROLES, scopesOf } from './roles.ts'
import { grants, SCOPES } from './scopes.ts'

test('a role includes those below it', () => {
  const pairs = ROLES.flatMap((role) => ROLES.map((least) => [role, least, isAtLeast(role, least)]))
  expect(pairs).toEqual([
    ['viewer', 'viewer', true],
    ['viewer', 'editor', false],
    ['viewer', 'admin', false],
    ['editor', 'viewer', true],
    ['editor', 'editor', true],
    ['editor', 'admin', false],
    ['admin', 'viewer', true],
    ['admin', 'editor', true],
    ['admin', 'admin', true],
  ])
})

test('viewers read, editors write what is delivered, admins the rest', () => {
  expect(leastRoleOf('team:read')).toBe('viewer')
  expect(leastRoleOf('endpoints:write')).toBe('editor')
  expect(leastRoleOf('connectors:write')).toBe('editor')
  expect(leastRoleOf('api-keys:write')).toBe('admin')
  expect(leastRoleOf('account:write')).toBe('admin')
  expect(leastRoleOf('*')).toBe('admin')
})

test('the scopes of a role are those that its routes need', () => {
  for (const role of ROLES) {
    for (const scope of SCOPES) {
      expect([role, scope, grants(scopesOf(role), scope)]).toEqual([
        role,
        scope,
        isAtLeast(role, leastRoleOf(scope)),
      ])
    }
  }
})
