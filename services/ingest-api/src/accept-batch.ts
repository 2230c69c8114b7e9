/** POST /events/batch: up to 100 direct events, all of them or none, in one transaction. */
import { ApiError } from '@posthorn/contracts/errors'
import { type BatchItem, DEFAULT_PRIORITY, type EventCreated } from '@posthorn/contracts/events'
import { type ApiRequest, payerOf } from '@posthorn/http/handlers'
import type { acceptAllEvents, NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { Announce } from './announce.ts'
import { type CheckDestination, requireDestination } from './check-destination.ts'
import { timestampOf } from './event-record.ts'
import { newEvent, toAnnouncements } from './new-event.ts'
import { payloadsOf } from './payload-text.ts'
import type { RequireQuota } from './require-quota.ts'

export interface AcceptBatchDeps {
  requireQuota: RequireQuota
  checkDestination: CheckDestination
  /** Accepts all events or none. */
  accept(events: readonly NewEvent[]): ReturnType<typeof acceptAllEvents>
  announce: Announce
  onAccepted(kind: 'batch', event: NewEvent, payerId: string, startedAt: number): void
}

interface BatchCreated {
  events: Pick<EventCreated, 'id' | 'status' | 'createdAt'>[]
  count: number
}

export function createAcceptBatch(config: { maxPayloadBytes: number }, deps: AcceptBatchDeps) {
  return async (request: ApiRequest<{ events: BatchItem[] }, undefined>): Promise<BatchCreated> => {
    const startedAt = performance.now()
    const items = request.body.events
    await deps.requireQuota(request.caller, items.length)
    const payloads = await payloadsOf(request.text, config.maxPayloadBytes)
    items.forEach(({ destination }, n) => {
      requireDestination(
        deps.checkDestination,
        destination,
        `events.${n}.destination`,
        'VALIDATION_ERROR',
      )
    })
    refuseDuplicates(items, repeated(items))
    const traceparent = request.header('traceparent')
    const events = items.map((item, n) => {
      const payload = payloads[n] as string
      return newEvent(request.caller, request.requestId, {
        ...item,
        source: 'batch',
        payload,
        priority: DEFAULT_PRIORITY,
        delaySeconds: 0,
        traceparent,
      })
    })

    const written = await deps.accept(events)
    if (written.outcome === 'duplicates') {
      refuseDuplicates(items, new Set(written.keys))
      throw new Error('the store names keys that the batch does not have')
    }
    const announcements = toAnnouncements(events, written.events)
    deps.announce.deliveries(announcements.deliveries)
    const payerId = payerOf(request.caller)
    for (const event of events) deps.onAccepted('batch', event, payerId, startedAt)
    const created = events.map(({ id }) => ({
      id,
      status: 'queued' as const,
      createdAt: timestampOf(id),
    }))
    return { events: created, count: created.length }
  }
}

/** Keys that occur in the batch more than once. */
function repeated(items: readonly BatchItem[]): Set<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { idempotencyKey } of items)
    (seen.has(idempotencyKey) ? twice : seen).add(idempotencyKey)
  return twice
}

function refuseDuplicates(items: readonly BatchItem[], keys: ReadonlySet<string>): void {
  const details = items.flatMap(({ idempotencyKey }, n) =>
    keys.has(idempotencyKey)
      ? [{ path: `events.${n}.idempotencyKey`, message: `${idempotencyKey} is used already` }]
      : [],
  )
  if (details.length === 0) return
  throw new ApiError('DUPLICATE_EVENT', 'idempotency keys are used already; nothing was accepted', {
    details,
  })
}
