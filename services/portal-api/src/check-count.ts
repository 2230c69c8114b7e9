/**
 * Limits how many rows of one kind a workspace may have, in the transaction that has just added
 * one. It locks the tenant's row, so that each transaction sees what all before it wrote, and
 * concurrent ones can't exceed the limit together. The row is written first and the lock taken
 * last, as where a configuration changes: in the other order, deleting a project and adding a row
 * to it could deadlock.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'

interface Kind {
  /** The plural name of the rows in the refusal. */
  name: string
  max: number
  /** Counts the rows, the new one included. */
  count: () => Promise<number>
}

export async function checkCount(
  transaction: Pick<Transaction, '$queryRaw'>,
  tenantId: string,
  { name, max, count }: Kind,
): Promise<void> {
  await transaction.$queryRaw`SELECT FROM tenants WHERE id = ${tenantId}::uuid FOR NO KEY UPDATE`
  if ((await count()) <= max) return
  throw new ApiError('INVALID_STATE', `a workspace has at most ${max} ${name}`, {
    details: { limit: max },
  })
}
