/** An API key as the API shows it: never the key, never its hash. */
import type { ApiKey } from '@posthorn/contracts/api-keys'
import type { Caller } from '@posthorn/http/handlers'
import type { ApiKey as Row } from '@posthorn/store/generated/client'

/**
 * The keys that the caller can see; a caller confined to a project sees those that are bound to it.
 */
export function apiKeysOf(caller: Caller): { tenantId: string; projectId?: string } {
  const { tenantId, projectId } = caller
  return { tenantId, ...(projectId === null ? {} : { projectId }) }
}

export function toApiKey(row: Row, now: number): ApiKey {
  const expired = row.expiresAt !== null && row.expiresAt.getTime() <= now
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    keyPrefix: row.keyPrefix,
    scopes: row.scopes,
    rateLimit: row.rateLimit,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    isActive: row.revokedAt === null && !expired,
    createdAt: row.createdAt.toISOString(),
  }
}
