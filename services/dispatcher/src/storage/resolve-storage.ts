/** The store of an endpoint in storage mode, as an attempt needs it. */
import { createHash } from 'node:crypto'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import type { StorageCredentials, StorageTarget } from '@posthorn/contracts/storage-config'
import { type Seal, sealedAt } from '@posthorn/store/seal'

export interface ResolvedStorage {
  /** Changes whenever the target or the credentials do. */
  key: string
  tenantId: string
  target: StorageTarget
  /** null: requests go unsigned. Throws when sealed under a master key that is not given. */
  credentials(): StorageCredentials | null
  timeoutMs: number
  allowedCidrs: readonly string[] | undefined
  blockedCidrs: readonly string[] | undefined
}

export interface StorageRow {
  id: string | null
  endpoint_version: number
  /** Sealed; null: none. */
  storage_credentials: string | null
}

/** null: its deliveries are sent. */
export function resolveStorage(
  tenantId: string,
  { id, endpoint_version: version, storage_credentials: sealed }: StorageRow,
  {
    deliveryMode,
    storageConfig: target,
    timeoutMs,
    ...config
  }: Omit<EndpointConfig, 'transformation' | 'filter'>,
  seal: Pick<Seal, 'open'>,
): ResolvedStorage | null {
  // A row of an older version of the service has no mode at all.
  if (deliveryMode !== 'storage' || target === null) return null
  return {
    key: `${id}:${version}:${fingerprint(sealed ?? '')}`,
    tenantId,
    target,
    credentials: () =>
      sealed === null
        ? null
        : (JSON.parse(
            seal.open(sealed, sealedAt('endpoints.storage_credentials', tenantId, String(id))),
          ) as StorageCredentials),
    timeoutMs,
    allowedCidrs: config.allowedCidrs ?? undefined,
    blockedCidrs: config.blockedCidrs ?? undefined,
  }
}

/** Attempts of one tenant at one store share a limit, as those at one origin do. */
export function storeOf({ target }: ResolvedStorage): string {
  if (target.type === 'file') return 'file:'
  return `s3:${target.endpoint ?? target.region}/${target.bucket}`
}

/**
 * Credentials have no versions; sealed again, the same ones make another text, which costs a client
 * and no more.
 */
function fingerprint(sealed: string): string {
  return createHash('sha256').update(sealed).digest('base64url').slice(0, 16)
}
