/**
 * Refuses events beyond the month's quota of the caller's plan. A batch that does not fit as a
 * whole is refused as a whole, though fewer events might still fit.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { quotaMessage } from '@posthorn/contracts/usage'
import { PLANS } from '@posthorn/domain/plans'
import { type Caller, payerOf } from '@posthorn/http/handlers'
import type { UsageMeter, UsedQuota } from '@posthorn/store/usage/usage-meter'

/** Throws QUOTA_EXCEEDED. A promise only for a tenant that this process has not seen yet. */
export type RequireQuota = (
  caller: Pick<Caller, 'tenantId' | 'parent' | 'plan'>,
  events: number,
) => Promise<void> | undefined

export function createRequireQuota(usage: Pick<UsageMeter, 'quotaExceeded'>): RequireQuota {
  return (caller, events) => {
    const { eventsPerMonth } = PLANS[caller.plan].limits
    const exceeded = usage.quotaExceeded(payerOf(caller), eventsPerMonth, events)
    if (exceeded instanceof Promise) return exceeded.then(refuse)
    refuse(exceeded)
    return undefined
  }
}

function refuse(exceeded: UsedQuota | null): void {
  if (exceeded === null) return
  throw new ApiError('QUOTA_EXCEEDED', quotaMessage(exceeded), { details: { ...exceeded } })
}
