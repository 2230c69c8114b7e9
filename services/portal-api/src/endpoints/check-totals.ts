/**
 * Limits the number of a workspace's endpoints and their total size. It runs in the transaction
 * that has just written one of them and increased the tenant's configuration version. That locks
 * the tenant's row, so each transaction sees what all before it wrote.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { endpointLimit, planForEndpoints } from '@posthorn/domain/plans'
import type { Caller } from '@posthorn/http/handlers'
import type { Transaction } from '@posthorn/store/prisma'

/**
 * Every fanout and dispatcher process caches the configuration of active tenants, at about three
 * times the size of its text. For 10,000 endpoints this leaves 1.6 KiB each. Scripts do not count
 * here.
 */
export const MAX_CONFIG_BYTES = 16 * 1024 * 1024

interface EndpointTotals {
  count: number
  bytes: number
}

/** @param wasAdded whether an endpoint was added; otherwise one was changed */
export async function checkTotals(
  transaction: Pick<Transaction, '$queryRaw'>,
  { tenantId, plan }: Pick<Caller, 'tenantId' | 'plan'>,
  maxEndpoints: number,
  wasAdded: boolean,
): Promise<void> {
  const [totals] = await transaction.$queryRaw<EndpointTotals[]>`
    SELECT count(*)::int AS count, coalesce(sum(e.config_bytes), 0)::float8 AS bytes
    FROM endpoints e WHERE e.tenant_id = ${tenantId}::uuid AND e.deleted_at IS NULL`
  if (totals === undefined) return
  const limit = endpointLimit(plan, maxEndpoints)
  if (wasAdded && totals.count > limit) {
    throw new ApiError('PLAN_REQUIRED', `the workspace may have ${limit} endpoints`, {
      details: { plan: planForEndpoints(totals.count, maxEndpoints), limit },
    })
  }
  if (totals.bytes > MAX_CONFIG_BYTES) {
    const message = `all endpoints together, without their scripts, take more than ${MAX_CONFIG_BYTES} bytes`
    throw new ApiError('INVALID_STATE', message)
  }
}
