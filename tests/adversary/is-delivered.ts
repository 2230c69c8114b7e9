/** Whether a tenant's event arrives, whatever has been sent before it. */
import { eventually } from '@posthorn/testing/eventually'
import type { TenantClient } from './arena.ts'

/** @returns what is found where it does not; nothing where it does */
export async function isDelivered(
  tenant: TenantClient,
  id: string,
  timeoutMs = 20_000,
): Promise<string[]> {
  try {
    await eventually(
      async () => {
        const { body } = await tenant.call('GET', `events/${id}`, '')
        if (body?.status !== 'delivered') throw new Error(`it is ${body?.status}`)
      },
      { timeoutMs, everyMs: 50 },
    )
    return []
  } catch (error) {
    const seconds = timeoutMs / 1_000
    return [`the tenant's own event is not delivered in ${seconds} s: ${(error as Error).message}`]
  }
}
