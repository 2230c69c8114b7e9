/** What a member of a workspace may do: each role includes those below it. */
import { RESOURCES, type Resource, type Scope } from './scopes.ts'

/** From the least to the most. */
export const ROLES = ['viewer', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Resources that an editor writes; all others are written by admins. */
const EDITABLE: readonly Resource[] = [
  'events',
  'deliveries',
  'endpoints',
  'event-types',
  'inbound',
  'alerts',
  'connectors',
]

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** The least role that may do what a scope names. */
export function leastRoleOf(scope: Scope): Role {
  if (scope === '*') return 'admin'
  const [resource, verb] = scope.split(':') as [Resource, 'read' | 'write']
  if (verb === 'read') return 'viewer'
  return EDITABLE.includes(resource) ? 'editor' : 'admin'
}

/** The scopes that a role amounts to, as `GET /auth/session` tells them. */
export function scopesOf(role: Role): Scope[] {
  if (role === 'admin') return ['*']
  const all = RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`])
  return all.filter((scope) => isAtLeast(role, leastRoleOf(scope)))
}
