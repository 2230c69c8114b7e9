/** The sealed columns of an endpoint's row, each bound to its place. */
import type { Endpoint } from '@posthorn/store/generated/client'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'

const COLUMNS = {
  signingSecret: 'endpoints.signing_secret',
  previousSigningSecret: 'endpoints.previous_signing_secret',
  mtlsKey: 'endpoints.mtls_key',
  storageCredentials: 'endpoints.storage_credentials',
} as const
type SealedField = keyof typeof COLUMNS
type Sealed = Pick<Endpoint, SealedField>

export type SigningColumns = Pick<
  Endpoint,
  'signingSecret' | 'signingSecretHint' | 'previousSigningSecret' | 'previousValidUntil'
>

export function placeOf(
  field: SealedField,
  { tenantId, id }: Pick<Endpoint, 'tenantId' | 'id'>,
): SealedPlace {
  return sealedAt(COLUMNS[field], tenantId, id)
}

/**
 * Sealed anew for a row that is written anyway: values that are not bound to their place yet, or
 * are under a former master key.
 */
export function renewedSecrets(
  seal: Pick<Seal, 'renew'>,
  row: Sealed & Pick<Endpoint, 'tenantId' | 'id'>,
): Partial<Sealed> {
  const renewed: Partial<Sealed> = {}
  for (const field of Object.keys(COLUMNS) as SealedField[]) {
    const sealed = row[field]
    if (sealed === null) continue
    const next = seal.renew(sealed, placeOf(field, row))
    if (next !== sealed) renewed[field] = next
  }
  return renewed
}
