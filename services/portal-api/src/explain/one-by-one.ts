/**
 * Runs the tasks of a tenant one after another, in the order in which they came, and those of
 * different tenants concurrently.
 */
import { createMutex, type Mutex } from '@posthorn/async/mutex'
import { ApiError } from '@posthorn/contracts/errors'

export type OneByOne = <T>(tenantId: string, run: () => Promise<T>) => Promise<T>

interface TenantTasks {
  mutex: Mutex
  /** How many run or wait. */
  size: number
}

/** @param maxWaiting how many tasks of one tenant may wait; beyond it the answer is 429 */
export function createOneByOne(maxWaiting: number): OneByOne {
  const byTenant = new Map<string, TenantTasks>()
  return async (tenantId, run) => {
    const tasks = byTenant.get(tenantId) ?? { mutex: createMutex(), size: 0 }
    if (tasks.size > maxWaiting) {
      const message = `more than ${maxWaiting} requests of this kind wait already`
      throw new ApiError('RATE_LIMITED', message, { retryAfterSeconds: 1 })
    }
    byTenant.set(tenantId, tasks)
    tasks.size += 1
    try {
      return await tasks.mutex(run)
    } finally {
      tasks.size -= 1
      if (tasks.size === 0) byTenant.delete(tenantId)
    }
  }
}
