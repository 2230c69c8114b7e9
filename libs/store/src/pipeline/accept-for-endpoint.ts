/**
 * An event by type that goes to one endpoint alone, whatever the endpoints subscribe to. It is
 * accepted and fanned out in one transaction, so that fan-out never sees it waiting. It has no
 * place in a FIFO lane: it goes at once, and neither waits for a lane that is stuck nor blocks one.
 */
import type { DueDelivery, PollReady } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import type { Pool } from '../pool.ts'
import { withRetries } from '../repeat.ts'
import { inTransaction } from '../transaction.ts'
import { acceptOnce, type NewEvent } from './accept-events.ts'
import { fanOutOnce } from './fan-out.ts'
import { loadDueDeliveries } from './load-due-deliveries.ts'

export interface AcceptedForEndpoint {
  /** The caller announces both. */
  work: DueDelivery[]
  polls: PollReady[]
}

/** @returns null: the idempotency key is taken */
export async function acceptForEndpoint(
  pool: Pool,
  event: NewEvent,
  endpointId: string,
): Promise<AcceptedForEndpoint | null> {
  const { tenantId, id: eventId } = event
  const tokens = await withRetries(() =>
    inTransaction(pool, async (client) => {
      const [accepted] = await acceptOnce(client, [event])
      if (accepted?.outcome !== 'accepted') return null
      const deliveries = [{ deliveryId: newId(), endpointId }]
      return await fanOutOnce(client, [{ tenantId, eventId, deliveries }])
    }),
  )
  if (tokens === null) return null
  const leased = [...tokens].flatMap(([id, token]) =>
    token === null ? [] : [{ tenantId, id, token }],
  )
  const isPolled = [...tokens.values()].includes(null)
  return {
    work: await loadDueDeliveries(pool, leased),
    polls: isPolled ? [{ v: 1, tenantId, endpointId }] : [],
  }
}
