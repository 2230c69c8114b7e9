/**
 * The credentials of an endpoint's store for its row: both or none, sealed as one text, without
 * versions. When they are left out they stay as they are while the store is the same. Another
 * store, even by a rollback, drops them, so that credentials for one store are never shown to
 * another.
 */
import type {
  StorageConfig,
  StorageCredentials,
  StorageTarget,
} from '@posthorn/contracts/storage-config'
import { secretHint } from '@posthorn/domain/signature'
import { badField } from '@posthorn/http/errors'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Seal } from '@posthorn/store/seal'
import { placeOf } from './seal-columns.ts'

export type StorageColumns = Pick<Endpoint, 'storageCredentials' | 'storageKeyHint'>

export interface StorageBefore extends StorageColumns, Pick<Endpoint, 'tenantId' | 'id'> {
  target: StorageTarget | null
}

const NONE: StorageColumns = { storageCredentials: null, storageKeyHint: null }
/** For an endpoint that does not exist yet. */
export function noStorage(endpoint: Pick<Endpoint, 'tenantId' | 'id'>): StorageBefore {
  return { ...endpoint, target: null, ...NONE }
}

/**
 * Returns null when they stay as they are.
 * @param given as in the body; undefined: the body has none
 */
export function changeCredentials(
  seal: Seal,
  before: StorageBefore,
  after: StorageTarget | null,
  given: StorageConfig | null | undefined,
): StorageColumns | null {
  const isSame = isSameStore(before.target, after)
  const { accessKeyId, secretAccessKey } = given?.type === 's3' ? given : {}
  if (accessKeyId === undefined && secretAccessKey === undefined) {
    return isSame || before.storageCredentials === null ? null : NONE
  }
  if (accessKeyId === null && secretAccessKey === null) {
    return before.storageCredentials === null ? null : NONE
  }
  if (accessKeyId === undefined || accessKeyId === null) throw half('accessKeyId')
  if (secretAccessKey === null) throw half('secretAccessKey')

  const current = isSame ? openCredentials(seal, before) : null
  const isSameKey = current?.accessKeyId === accessKeyId
  const secret = secretAccessKey ?? (isSameKey ? current.secretAccessKey : undefined)
  if (secret === undefined) throw half('secretAccessKey')
  if (isSameKey && current.secretAccessKey === secret) return null
  const credentials: StorageCredentials = { accessKeyId, secretAccessKey: secret }
  return {
    storageCredentials: seal.seal(
      JSON.stringify(credentials),
      placeOf('storageCredentials', before),
    ),
    storageKeyHint: secretHint(accessKeyId),
  }
}

function half(missing: 'accessKeyId' | 'secretAccessKey'): Error {
  const other = missing === 'accessKeyId' ? 'secretAccessKey' : 'accessKeyId'
  return badField(`storageConfig.${missing}`, `goes with ${other}: give both, or null for both`)
}

function isSameStore(one: StorageTarget | null, other: StorageTarget | null): boolean {
  return one?.type === 's3' && other?.type === 's3' && one.endpoint === other.endpoint
}

/**
 * Credentials that can't be opened, because their master key is lost, are replaced by giving both
 * again.
 */
function openCredentials(seal: Seal, before: StorageBefore): StorageCredentials | null {
  const { storageCredentials: sealed } = before
  if (sealed === null) return null
  try {
    return JSON.parse(
      seal.open(sealed, placeOf('storageCredentials', before)),
    ) as StorageCredentials
  } catch {
    return null
  }
}
