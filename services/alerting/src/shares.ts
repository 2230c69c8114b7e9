/**
 * How much of one kind a workspace may have under way in this process at a time, for what it asks
 * for directly and what takes long: it is refused beyond that, and others notice nothing.
 */
import { ApiError } from '@posthorn/contracts/errors'

export interface Shares {
  /** Throws RATE_LIMITED. @param what names them in the refusal */
  take<Result>(tenantId: string, what: string, work: () => Promise<Result>): Promise<Result>
}

export function createShares(atOnce: number): Shares {
  const underWay = new Map<string, number>()
  return {
    async take(tenantId, what, work) {
      const before = underWay.get(tenantId) ?? 0
      if (before >= atOnce) {
        const message = `${atOnce} ${what} are under way: wait until one of them has ended`
        throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: 1 })
      }
      underWay.set(tenantId, before + 1)
      try {
        return await work()
      } finally {
        const left = (underWay.get(tenantId) ?? 1) - 1
        if (left === 0) underWay.delete(tenantId)
        else underWay.set(tenantId, left)
      }
    },
  }
}
