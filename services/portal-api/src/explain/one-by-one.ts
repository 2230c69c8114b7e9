/**
 * Runs the tasks of a tenant one after another, in the order in which they came, and those of
 * different tenants concurrently.
 */
import { ApiError } from '@posthorn/contracts/errors'

export type OneByOne = <T>(tenantId: string, run: () => Promise<T>) => Promise<T>

interface TenantExplanations {
  last: Promise<unknown>
  size: number
}

/** @param maxWaiting how many tasks of one tenant may wait; beyond it the answer is 429 */
export function createOneByOne(maxWaiting: number): OneByOne {
  const queues = new Map<string, TenantExplanations>()
  return async (tenantId, run) => {
    const queue = queues.get(tenantId) ?? { last: Promise.resolve(), size: 0 }
    if (queue.size > maxWaiting) {
      const message = `more than ${maxWaiting} requests of this kind wait already`
      throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: 1 })
    }
    queues.set(tenantId, queue)
    queue.size += 1
    const result = queue.last.then(run)
    queue.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      queue.size -= 1
      if (queue.size === 0) queues.delete(tenantId)
    }
  }
}
