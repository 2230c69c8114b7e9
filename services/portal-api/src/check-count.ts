/**
 * How many rows of one kind a workspace may have, looked at in the transaction that has just added one. It locks the
 * tenant's row, so that each sees what all before it wrote and of many at once not one too many stays. The row comes
 * first and the lock last, as where a configuration changes: the other way round a project that is being deleted and a
 * row that is added to it would wait for each other.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Transaction } from '@posthorn/store/prisma'

interface Kind {
  /** What a refusal calls them, in the plural. */
  name: string
  max: number
  /** The new one included. */
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
