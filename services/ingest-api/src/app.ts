/**
 * The ingest service: the routes of events. It answers 201 only for what is durable, and its only
 * timer keeps its caches fresh.
 */
import type { Bus } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import { memoize } from '@posthorn/async/memoize'
import { createApiRouter } from '@posthorn/http/api-router'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import type { ServeDeps } from '@posthorn/http/serve'
import type { Router } from '@posthorn/http/router'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { within } from '@posthorn/async/within'
import { createTicker } from '@posthorn/async/ticker'
import { acceptAllEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { AcceptPools } from '@posthorn/store/pipeline/accept-in-groups'
import type { Pool } from '@posthorn/store/pool'
import type { Tracing } from '@posthorn/runtime/tracing'
import type { UsageMeter } from '@posthorn/store/usage/usage-meter'
import { createAcceptBatch } from './accept-batch.ts'
import { createAcceptEvent } from './accept-event.ts'
import { type Announce, createAnnounce } from './announce.ts'
import type { CheckDestination } from './check-destination.ts'
import { createCheckPayload } from './check-payload.ts'
import { createEditEvent } from './edit-event.ts'
import { createGetEvent } from './get-event.ts'
import { createListEvents, listForPortal } from './list-events.ts'
import { createReplayEvent } from './replay-event.ts'
import { createRequireQuota } from './require-quota.ts'
import { createRetryBatch } from './retry-batch.ts'
import { createWriteEvents } from './write-events.ts'

export interface IngestApiConfig {
  brand: string
  maxPayloadBytes: number
}

export interface IngestApiDeps extends ServeDeps, AcceptPools {
  portal: PortalSessions
  bus: Bus
  checkDestination: CheckDestination
  usage: Pick<UsageMeter, 'quotaExceeded' | 'eventAccepted'>
  log: Log
  metrics: Pick<Metrics, 'count'>
  tracing?: Tracing | undefined
}

export interface IngestApi {
  router: Router
  service: Service
}

const REFRESH_MS = 1_000
/** The rest of a body beside the payload: destination, headers and field names. */
const BODY_EXTRA_BYTES = 64 * 1024
/** Destinations have up to 2 KiB: 2 MB in all. */
const MAX_HOSTS = 1_000

export function createIngestApi(config: IngestApiConfig, deps: IngestApiDeps): IngestApi {
  const { pool, bus, log, checkDestination } = deps
  const announce = createAnnounce({ bus, log })
  const checkPayload = createCheckPayload({ pool, log })
  const writeEvents = createWriteEvents({ ...deps, announce })
  const accepting = {
    requireQuota: createRequireQuota(deps.usage),
    checkDestination,
    onAccepted: createOnAccepted(deps),
  }
  const accept = (events: readonly NewEvent[]) => acceptAllEvents(pool, events)
  const bodyBytes = config.maxPayloadBytes + BODY_EXTRA_BYTES
  const router = createApiRouter(
    {
      service: 'ingest-api',
      brand: config.brand,
      maxBodyBytes: { createEvent: bodyBytes, editEvent: bodyBytes },
    },
    deps,
    {
      createEvent: createAcceptEvent(config, {
        ...accepting,
        checkPayload,
        write: writeEvents.write,
      }),
      createBatch: createAcceptBatch(config, { ...accepting, accept, announce }),
      retryBatch: createRetryBatch({ pool, announce }),
      editEvent: createEditEvent(config, { pool, checkDestination, checkPayload, announce }),
      ...createStoredEvents({ pool, announce }),
    },
  )
  const refresh = createTicker(
    {
      name: 'caches',
      everyMs: REFRESH_MS,
      onError: (error) => log.warn('ingest.refresh-failed', { error }),
    },
    async () => void (await Promise.all([checkPayload.refresh(), deps.authenticate.refresh()])),
  )
  const invalidate = (tenantId: string): void => {
    checkPayload.invalidateTenant(tenantId)
    deps.authenticate.invalidateTenant(tenantId)
  }
  let changes: Listener | undefined
  return {
    router,
    service: {
      name: 'ingest-api',
      async start() {
        refresh.start()
        changes = listenForConfigChanges({
          bus,
          group: 'ingest-api',
          onChange: invalidate,
          onError: (error) => log.warn('ingest.not-listening', { error }),
        })
      },
      async stop(timeoutMs) {
        await within(timeoutMs, writeEvents.idle())
        await within(timeoutMs, deps.portal.idle())
        await changes?.stop()
        await refresh.stop()
      },
    },
  }
}

/** What reads events and replays one, for the API and for the portal of sub-accounts. */
function createStoredEvents({ pool, announce }: { pool: Pool; announce: Announce }) {
  const listEvents = createListEvents({ pool })
  const getEvent = createGetEvent({ pool })
  const replayEvent = createReplayEvent({ pool, announce })
  return {
    listEvents,
    listSubAccountEvents: listForPortal(listEvents),
    getEvent,
    getSubAccountEvent: getEvent,
    replayEvent,
    retrySubAccountEvent: replayEvent,
  }
}

function createOnAccepted({
  usage,
  log,
  metrics,
  tracing,
}: Pick<IngestApiDeps, 'usage' | 'log' | 'metrics' | 'tracing'>) {
  const hostOf = memoize(MAX_HOSTS, (destination) => URL.parse(destination)?.host)
  return (
    kind: 'direct' | 'typed' | 'batch',
    event: NewEvent,
    payerId: string,
    startedAt: number,
  ): void => {
    usage.eventAccepted({ tenantId: payerId, id: event.id })
    metrics.count('posthorn_events_accepted_total', { kind })
    tracing?.accepted({ ...event, eventId: event.id }, performance.now() - startedAt)
    log.info('event.accepted', {
      kind,
      tenantId: event.tenantId,
      projectId: event.projectId,
      eventId: event.id,
      traceId: event.traceId,
      eventType: event.eventType,
      // Without its path and query, which may contain secrets.
      host: event.destination === null ? null : hostOf(event.destination),
      bytes: Buffer.byteLength(event.payload),
      delaySeconds: event.delaySeconds,
      ms: Math.round(performance.now() - startedAt),
    })
  }
}
