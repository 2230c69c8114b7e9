/** What the session of a sub-account may do in the portal. None implies another. */
export const PORTAL_CAPABILITIES = [
  'endpoints:read',
  'endpoints:write',
  'events:read',
  'events:retry',
  'deliveries:read',
] as const
export type PortalCapability = (typeof PORTAL_CAPABILITIES)[number]
