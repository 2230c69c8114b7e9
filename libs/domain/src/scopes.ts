/** What an API key may do: `<resource>:<read|write>`, or `*`. Write implies read. */
export const RESOURCES = [
  'events',
  'deliveries',
  'endpoints',
  'event-types',
  'inbound',
  'alerts',
  'connectors',
  'analytics',
  'api-keys',
  'team',
  'projects',
  'sub-accounts',
  'audit',
  'billing',
  'account',
] as const
export type Resource = (typeof RESOURCES)[number]
export type Scope = `${Resource}:${'read' | 'write'}` | '*'

export const SCOPES: readonly Scope[] = [
  '*',
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
]

export function grants(granted: readonly string[], needed: Scope): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true
  return needed.endsWith(':read') && granted.includes(needed.replace(/:read$/, ':write'))
}
