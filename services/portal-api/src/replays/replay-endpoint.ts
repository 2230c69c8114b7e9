/**
 * Starts a bulk replay of an endpoint's deliveries, and shows the progress of one. `run-replays.ts`
 * does the work.
 */
import type { Replay } from '@posthorn/contracts/replays'
import { REPLAYED_STATUSES } from '@posthorn/contracts/replays'
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { newId } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { createReplay, readReplay, type StoredReplay } from '@posthorn/store/pipeline/bulk-replays'
import type { Pool } from '@posthorn/store/pool'
import { inTransaction } from '@posthorn/store/transaction'
import type { Database } from '@posthorn/store/prisma'
import { endpointsOf } from '../endpoints/endpoint-record.ts'
import { notFound } from '../refusals.ts'

export interface ReplayEndpointDeps {
  database: Pick<Database, 'endpoint'>
  pool: Pool
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
  /** A new job has been written. */
  onReplay(): void
}

type ReplayHandlers = Pick<Handlers<'portal-api'>, 'replayEndpoint' | 'getReplay'>

const STATES = { dead: STATE_CODE.dead, failed: STATE_CODE.waiting }

export function createReplayEndpoint({
  database,
  pool,
  now,
  onReplay,
}: ReplayEndpointDeps): ReplayHandlers {
  return {
    async replayEndpoint({ caller, params, body, audit }) {
      const where = { ...endpointsOf(caller), id: params['id'] ?? '' }
      const endpoint = await database.endpoint.findFirst({ where })
      if (endpoint === null) throw notFound('endpoint')
      const statuses = [body.status ?? REPLAYED_STATUSES].flat()
      const { tenantId } = caller
      const span = { since: body.since, until: body.until ?? new Date(now()).toISOString() }
      const asked = {
        tenantId,
        id: newId(),
        projectId: endpoint.projectId,
        endpointId: endpoint.id,
        states: [...new Set(statuses)].map((status) => STATES[status]),
        sinceMs: Date.parse(span.since),
        untilMs: Date.parse(span.until),
      }
      const replay = await inTransaction(pool, async (client) => {
        const metadata = { replayId: asked.id, statuses, ...span }
        await recordAudit(client, audit, { resourceId: endpoint.id, metadata })
        return await createReplay(client, asked)
      })
      if (replay === null) throw new Error('a replay that was made is none')
      onReplay()
      return toReplay(replay)
    },
    async getReplay({ caller, params }) {
      const replay = await readReplay(pool, caller.tenantId, caller.projectId, params['id'] ?? '')
      if (replay === null) throw notFound('replay')
      return toReplay(replay)
    },
  }
}

function toReplay(replay: StoredReplay): Replay {
  return {
    id: replay.id,
    status: replay.endedAt === null ? 'running' : 'done',
    total: replay.total,
    done: replay.done,
    endpointId: replay.endpointId,
    createdAt: replay.createdAt.toISOString(),
    endedAt: replay.endedAt?.toISOString() ?? null,
  }
}
