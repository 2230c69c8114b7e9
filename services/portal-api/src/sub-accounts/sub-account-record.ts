/** A sub-account as the API shows it. */
import type { SubAccount } from '@posthorn/contracts/sub-accounts'
import type { Tenant } from '@posthorn/store/generated/client'

/** The columns of a tenant that a sub-account shows. */
export type SubAccountRow = Pick<
  Tenant,
  'id' | 'externalId' | 'name' | 'email' | 'metadata' | 'status' | 'createdAt' | 'updatedAt'
>

export function toSubAccount(row: SubAccountRow): SubAccount {
  return {
    id: row.id,
    externalId: row.externalId ?? '',
    name: row.name === '' ? null : row.name,
    email: row.email,
    metadata: row.metadata as SubAccount['metadata'],
    status: row.status as SubAccount['status'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
