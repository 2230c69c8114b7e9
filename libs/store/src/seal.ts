/**
 * Seals secrets at rest: AES-256-GCM under the master key. A sealed text names its key, so that the
 * master key can be rotated: new secrets are sealed under the first key, and every key given still
 * opens what it sealed.
 *
 * A text is bound to its place (tenant, table, column, row): whoever can write into the database,
 * but has no master key, can't make one row use another's secret by moving the text. Texts of the
 * first version were not bound. They still open, and are sealed anew when their row is written.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 's2'
const UNBOUND_VERSION = 's1'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export type SealedColumn =
  | 'tenants.signing_secret'
  | 'tenants.previous_signing_secret'
  | 'endpoints.signing_secret'
  | 'endpoints.previous_signing_secret'
  | 'endpoints.mtls_key'
  | 'endpoints.storage_credentials'
  | 'inbound_endpoints.credentials'
  | 'users.totp_secret'
  | 'sso_connections.client_secret'
  | 'subject_jobs.subject_email'
  | 'alert_rules.action'
  | 'connectors.config'

/** Where a sealed text stands. */
export interface SealedPlace {
  tenantId: string
  column: SealedColumn
  rowId: string
}

export interface Seal {
  seal(secret: string, place: SealedPlace): string
  /**
   * Throws when the text was sealed under a key that is not given, for another place, or was
   * changed.
   */
  open(sealed: string, place: SealedPlace): string
  /**
   * For a row that is written anyway: the text sealed for its place under the first key. It stays
   * as it is when it is sealed so already, or can't be opened.
   */
  renew(sealed: string, place: SealedPlace): string
  /**
   * Keys of 32 bytes for a purpose of its own, one for each master key in their order: the first
   * one signs, and each may verify. Who has one can tell nothing about the master key.
   */
  deriveKeys(purpose: string): Buffer[]
}

/** @param rowId a tenant's own row has the tenant's id; what is a user's has the user's as both */
export function sealedAt(
  column: SealedColumn,
  tenantId: string,
  rowId: string = tenantId,
): SealedPlace {
  return { tenantId, column, rowId }
}

/** @param keys 32 bytes in base64 each; the first one seals */
export function createSeal(keys: readonly string[]): Seal {
  const byId = new Map<string, Buffer>()
  for (const text of keys) {
    const key = Buffer.from(text, 'base64')
    if (key.length !== KEY_BYTES) throw new Error('MASTER_KEY must be 32 bytes in base64')
    byId.set(keyId(key), key)
  }
  const [current] = byId
  if (current === undefined) throw new Error('MASTER_KEY is missing: set 32 bytes in base64')
  const [currentId, currentKey] = current
  const seal: Seal['seal'] = (secret, place) => sealWith(currentId, currentKey, secret, place)
  return {
    seal,
    open,
    deriveKeys: (purpose) => [...byId.values()].map((key) => derive(key, purpose)),
    renew(sealed, place) {
      if (sealed.startsWith(`${VERSION}:${currentId}:`)) return sealed
      try {
        return seal(open(sealed, place), place)
      } catch {
        return sealed
      }
    },
  }

  function open(sealed: string, place: SealedPlace): string {
    const [version, id, data] = sealed.split(':')
    const key = byId.get(id ?? '')
    const isKnown = version === VERSION || version === UNBOUND_VERSION
    if (!isKnown || data === undefined) throw new Error('not a sealed secret')
    if (key === undefined) throw new Error(`sealed under a master key that is not given: ${id}`)
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('a sealed secret is cut short')
    const iv = bytes.subarray(0, IV_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    if (version === VERSION) decipher.setAAD(nameOf(place))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }
}

function sealWith(id: string, key: Buffer, secret: string, place: SealedPlace): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(nameOf(place))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${VERSION}:${id}:${Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64')}`
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `posthorn ${purpose}`, KEY_BYTES))
}

/** The name of a place; no two places have the same. */
function nameOf({ tenantId, column, rowId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([tenantId, column, rowId]))
}

/** A name for a key that does not reveal it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('posthorn master key').update(key).digest('hex').slice(0, 8)
}
