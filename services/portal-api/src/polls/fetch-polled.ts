/**
 * One fetch for a poll. An endpoint's transformation runs on each fetched event, in its current
 * version, as it does at each attempt of a push. An event that it drops counts as delivered. An
 * event that it fails on stays hidden until its visibility timeout, as if it had been fetched and
 * not acknowledged, and `explain` tells why.
 *
 * Scripts run on the sandbox's threads, one event of a poll after the other: an endpoint never has
 * more than one run in the sandbox's queue, where tenants take turns.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { timeOfId } from '@posthorn/domain/ids'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import { acknowledge } from '@posthorn/store/pipeline/acknowledge'
import {
  fetchVisible,
  noteNotFetched,
  type NotFetched,
  type PolledEvent,
  type PollTarget,
} from '@posthorn/store/pipeline/poll'
import type { Pool } from '@posthorn/store/pool'

export interface FetchPolledDeps {
  pool: Pool
  run: Sandbox['run']
  visibilityMs: number
  /** The next delivery of a lane is due. */
  announceDueSoon(): void
  /** ms of the process's clock. */
  clock(): number
}

/**
 * At 100 ms each, the most that a script may take, these need 2.5 s: well within a visibility
 * timeout of 30 s.
 */
const MAX_TRANSFORMED = 25
/**
 * How long a poll goes on fetching when a script drops every event, before other polls have their
 * turn.
 */
const LOOK_ON_MS = 1_000

interface PollScript {
  version: number
  transformation: string | null
}

export function createFetchPolled(
  deps: FetchPolledDeps,
): (target: PollTarget, limit: number) => Promise<PolledEvent[]> {
  const { pool, visibilityMs } = deps

  async function transformAll(
    target: PollTarget,
    script: { key: string; script: string },
    events: readonly PolledEvent[],
  ): Promise<PolledEvent[]> {
    const kept: PolledEvent[] = []
    const dropped: string[] = []
    const failed: NotFetched[] = []
    for (const event of events) {
      const { id, deliveryId, eventType, payload } = event
      const headers = parseHeaders(event.headers)
      const createdAt = new Date(timeOfId(id)).toISOString()
      const ran = await deps.run({
        tenantId: target.tenantId,
        ...script,
        event: { id, eventType, payload, headers, createdAt },
      })
      if (ran.outcome !== 'ok') {
        // A fault of the service does not count as a fetch.
        const isCounted = ran.outcome === 'error'
        failed.push({ deliveryId, error: `transformation: ${ran.detail}`, isCounted })
      } else if (ran.result === null) dropped.push(id)
      else {
        kept.push({
          ...event,
          payload: ran.result.payload ?? payload,
          headers: ran.result.headers === null ? event.headers : JSON.stringify(ran.result.headers),
        })
      }
    }
    if (failed.length > 0) await noteNotFetched(pool, target, failed)
    if (dropped.length > 0) {
      await acknowledge(pool, target, dropped)
      deps.announceDueSoon()
    }
    return kept
  }

  return async (target, limit) => {
    const { version, transformation } = await readScript(pool, target)
    if (transformation === null) return await fetchVisible(pool, target, limit, visibilityMs)
    const script = { key: `${target.endpointId}:${version}`, script: transformation }
    const startedAt = deps.clock()
    for (;;) {
      const some = Math.min(limit, MAX_TRANSFORMED)
      const events = await fetchVisible(pool, target, some, visibilityMs)
      const kept = await transformAll(target, script, events)
      if (kept.length > 0 || events.length === 0) return kept
      if (deps.clock() - startedAt >= LOOK_ON_MS) return []
    }
  }
}

async function readScript(pool: Pool, { tenantId, endpointId }: PollTarget): Promise<PollScript> {
  const { rows } = await pool.query<PollScript>({
    name: 'read-poll-script',
    text: `SELECT version, config ->> 'transformation' AS transformation FROM endpoints
      WHERE tenant_id = $1 AND id = $2`,
    values: [tenantId, endpointId],
  })
  return rows[0] ?? { version: 0, transformation: null }
}
