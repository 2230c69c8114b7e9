/**
 * The inbound receiver: platforms' webhooks at a public address are verified and become events. It
 * caches inbound endpoints for a second and writes their counts once a second; whatever it has
 * answered with 202 is in Postgres.
 */
import { concerns } from '@posthorn/contracts/topics'
import type { Bus } from '@posthorn/bus/bus'
import { listenForConfigChanges } from '@posthorn/bus/config-changes'
import type { Listener } from '@posthorn/bus/listen'
import { INBOUND_PATH } from '@posthorn/contracts/inbound'
import { INBOUND_RECEIVER, INBOUND_METHODS } from '@posthorn/contracts/inbound-routes'
import type { EventAccepted } from '@posthorn/contracts/topics'
import { createRawRouter, type RawRequest } from '@posthorn/http/raw-router'
import type { Router } from '@posthorn/http/router'
import { type PlanName, PLANS, planNamed } from '@posthorn/domain/plans'
import type { Verifier } from '@posthorn/inbound/verifier'
import type { Log } from '@posthorn/runtime/log'
import type { Metrics } from '@posthorn/runtime/metrics'
import type { Service } from '@posthorn/runtime/service'
import { within } from '@posthorn/async/within'
import { createTicker } from '@posthorn/async/ticker'
import type { Sandbox } from '@posthorn/sandbox/sandbox'
import { addSourceCounts, replaceCredentials } from '@posthorn/store/change-source'
import { createSourceCache, findSource } from '@posthorn/store/find-source'
import type { NewEvent } from '@posthorn/store/pipeline/accept-events'
import {
  type AcceptPools,
  createAcceptInGroups,
  type WriteOutcome,
} from '@posthorn/store/pipeline/accept-in-groups'
import type { Seal } from '@posthorn/store/seal'
import type { UsageMeter } from '@posthorn/store/usage/usage-meter'
import { createSaveLearnedCredentials } from './save-learned-credentials.ts'
import { createReceive, type RequestOutcome } from './receive.ts'
import { openInboundSource, type InboundSource } from './inbound-source.ts'
import { createAcceptInboundEvent } from './accept-inbound-event.ts'
import { createRequestCounts, type RequestCounts } from './request-counts.ts'

export interface InboundReceiverConfig {
  /** The installation's URL, without a slash at its end. */
  publicUrl: string
  maxBodyBytes: number
  /** The plan of tenants without a subscription. */
  defaultPlan: PlanName
}

export interface InboundReceiverDeps extends AcceptPools {
  bus: Bus
  seal: Seal
  sandbox: Pick<Sandbox, 'run'>
  verifier: Verifier & { fetchText(url: URL): Promise<string> }
  log: Log
  metrics: Pick<Metrics, 'count'>
  usage: Pick<UsageMeter, 'quotaExceeded' | 'eventAccepted'>
  /** Milliseconds since 1970. */
  now(): number
}

const WRITE_COUNTS_MS = 1_000

export function createInboundReceiver(
  config: InboundReceiverConfig,
  deps: InboundReceiverDeps,
): { router: Router; service: Service } {
  const { pool, bus, seal, usage, log, verifier, now } = deps
  const read = async (pathSuffix: string): Promise<InboundSource | null> => {
    const row = await findSource(pool, pathSuffix)
    return row === null ? null : await openInboundSource(row, seal)
  }
  const sources = createSourceCache(read)
  const requestCounts = createRequestCounts((counts) => addSourceCounts(pool, counts))
  const groups = createAcceptInGroups(deps, createAnnounce(deps), bus.waitMs)
  const receive = createReceive(config, {
    find: (path) => sources.peek(path) ?? sources.get(path),
    verifier,
    saveLearned: createSaveLearnedCredentials({
      seal,
      read: ({ pathSuffix }) => read(pathSuffix),
      replace: (source, sealed) => replaceCredentials(pool, source, sealed),
      onChanged(tenantId) {
        sources.invalidate(tenantId)
        bus.announce('config.changed', [{ v: 1, tenantId, what: 'inbound' }])
      },
    }),
    quotaExceeded: ({ payerId, plan }) =>
      usage.quotaExceeded(
        payerId,
        PLANS[planNamed(plan, config.defaultPlan)].limits.eventsPerMonth,
        1,
      ),
    acceptEvent: createAcceptInboundEvent({
      run: (request) => deps.sandbox.run(request),
      accept: (event) => groups.accept(event),
      onAccepted: (event, source) => reportAccepted(deps, event, source),
      onScriptFailed: ({ tenantId, id }, detail) =>
        log.info('inbound.script-failed', { tenantId, inboundEndpointId: id, detail }),
    }),
    onEnd: createReportEnd(deps, requestCounts),
    now,
  })
  const router = createRawRouter(
    {
      name: INBOUND_RECEIVER,
      path: `${INBOUND_PATH}/`,
      methods: [...INBOUND_METHODS, 'OPTIONS'],
      maxBodyBytes: config.maxBodyBytes,
    },
    receive,
  )
  return { router, service: createService(deps, { sources, requestCounts, groups }) }
}

/** Starts and stops what goes on beside the requests. */
function createService(
  { bus, log }: Pick<InboundReceiverDeps, 'bus' | 'log'>,
  parts: {
    readonly sources: { invalidate(tenantId: string): void }
    readonly requestCounts: RequestCounts
    readonly groups: { idle(): Promise<void> }
  },
): Service {
  const { sources, requestCounts, groups } = parts
  const writing = createTicker(
    {
      name: 'receivers',
      everyMs: WRITE_COUNTS_MS,
      onError: (error) => log.warn('inbound.counts-not-written', { error }),
    },
    () => requestCounts.flush(),
  )
  let changes: Listener | undefined
  return {
    name: INBOUND_RECEIVER,
    async start() {
      writing.start()
      changes = listenForConfigChanges({
        bus,
        group: INBOUND_RECEIVER,
        onChange: (tenantId, what) => {
          if (concerns(what, 'inbound')) sources.invalidate(tenantId)
        },
        onError: (error) => log.warn('inbound.not-listening', { error }),
      })
    },
    async stop(timeoutMs) {
      await within(timeoutMs, groups.idle())
      await writing.stop()
      await requestCounts
        .flush()
        .catch((error) => log.warn('inbound.counts-not-written', { error }))
      await changes?.stop()
    },
  }
}

/** Reports how a request went: counts, metric, log. */
function createReportEnd(
  { metrics, log, now }: Pick<InboundReceiverDeps, 'metrics' | 'log' | 'now'>,
  requestCounts: RequestCounts,
): (source: InboundSource, outcome: RequestOutcome, request: RawRequest) => void {
  return (source, { name, counts }, { requestId }) => {
    const { tenantId, id: inboundEndpointId, source: platform } = source
    metrics.count('posthorn_inbound_total', { source: platform, outcome: name })
    if (counts === 'refused') {
      requestCounts.rejected(source, now(), name)
      // Whoever floods an endpoint must not flood the log.
      const fields = { tenantId, inboundEndpointId, source: platform, reason: name, requestId }
      log.debug('inbound.refused', fields)
    } else if (counts === 'received') requestCounts.received(source, now())
  }
}

/**
 * Neither delays nor fails the answer: a lost announcement is repeated when the event's `due_at`
 * comes.
 */
function createAnnounce({ bus, log }: Pick<InboundReceiverDeps, 'bus' | 'log'>) {
  return (events: readonly NewEvent[], outcomes: readonly WriteOutcome[]): void => {
    const accepted = events.filter((_, n) => outcomes[n]?.outcome === 'accepted')
    const messages = accepted.map(
      ({ tenantId, id: eventId }): EventAccepted => ({ v: 1, tenantId, eventId }),
    )
    try {
      if (messages.length > 0) bus.announce('event.accepted', messages)
    } catch (error) {
      log.warn('announce.failed', { error })
    }
  }
}

function reportAccepted(
  { usage, log, metrics }: Pick<InboundReceiverDeps, 'usage' | 'log' | 'metrics'>,
  event: NewEvent,
  { id, source, payerId }: InboundSource,
): void {
  usage.eventAccepted({ tenantId: payerId, id: event.id })
  metrics.count('posthorn_events_accepted_total', { kind: 'inbound' })
  log.info('event.accepted', {
    kind: 'inbound',
    tenantId: event.tenantId,
    projectId: event.projectId,
    eventId: event.id,
    traceId: event.traceId,
    eventType: event.eventType,
    inboundEndpointId: id,
    source,
    bytes: Buffer.byteLength(event.payload),
  })
}
