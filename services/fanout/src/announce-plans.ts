/** Announces the deliveries that were written, and logs the fan-out of each event. */
import { NEVER_SENT, toDueDelivery } from '@posthorn/contracts/due-delivery'
import {
  type DeliveryDue,
  type DueDelivery,
  MAX_INLINE_FANOUT,
  MAX_INLINE_PAYLOAD_BYTES,
  type PollReady,
} from '@posthorn/contracts/topics'
import { timeOfId } from '@posthorn/domain/ids'
import type { Tracing } from '@posthorn/runtime/tracing'
import type { Plan } from './plan-event.ts'

export interface AnnouncePlansDeps {
  announceDue(messages: readonly DeliveryDue[]): void
  announcePolls(messages: readonly PollReady[]): void
  log: { info(name: string, fields: Record<string, unknown>): void }
  count(events: number): void
  tracing?: Pick<Tracing, 'fannedOut'> | undefined
}

/** The tokens of the deliveries that were written; null for one that polls fetch. */
export type Tokens = ReadonlyMap<string, number | null>

export function announcePlans(
  deps: AnnouncePlansDeps,
  plans: readonly Plan[],
  tokens: Tokens,
  durationMs: number,
): void {
  const messages = plans.flatMap((plan) => toMessages(plan, tokens))
  deps.announceDue(messages)
  const polls = toPolls(plans, tokens)
  if (polls.length > 0) deps.announcePolls(polls)
  for (const { event, out, filteredOut } of plans) {
    deps.log.info('event.fanned-out', {
      tenantId: event.tenantId,
      eventId: event.id,
      eventType: event.eventType,
      deliveries: out.deliveries.length,
      filteredOut,
      traceId: event.traceId,
      ageMs: Date.now() - timeOfId(event.id),
    })
  }
  deps.count(plans.length)
  const { tracing } = deps
  if (tracing === undefined) return
  for (const { event, out } of plans) {
    const traced = { ...event, eventId: event.id }
    tracing.fannedOut(traced, out.deliveries.length, durationMs, Date.now())
  }
}

/** One message per endpoint, however many of the events wait for its polls. */
function toPolls(plans: readonly Plan[], tokens: Tokens): PollReady[] {
  const ready = new Map<string, PollReady>()
  for (const { out } of plans) {
    for (const { deliveryId, endpointId } of out.deliveries) {
      if (tokens.get(deliveryId) !== null) continue
      ready.set(endpointId, { v: 1, tenantId: out.tenantId, endpointId })
    }
  }
  return [...ready.values()]
}

/**
 * A delivery without a token waits for a poll or in its lane, or another instance wrote it and
 * announces it.
 */
function toMessages({ event, out }: Plan, tokens: Tokens): DueDelivery[] {
  const isInline =
    out.deliveries.length <= MAX_INLINE_FANOUT &&
    Buffer.byteLength(event.payload) <= MAX_INLINE_PAYLOAD_BYTES
  const messages: DueDelivery[] = []
  for (const { deliveryId, endpointId, lane } of out.deliveries) {
    const token = tokens.get(deliveryId)
    if (token === undefined || token === null) continue
    messages.push(
      toDueDelivery(event, {
        ...NEVER_SENT,
        token,
        deliveryId,
        endpointId,
        lane: lane ?? null,
        destination: null,
        payload: isInline ? event.payload : null,
        seq: event.seq,
      }),
    )
  }
  return messages
}
