/**
 * The spans of an event's life, for OpenTelemetry: its acceptance, its fan-out and each attempt.
 * There is no tracing at all unless the operator has set a collector.
 */
import { timeOfId } from '@posthorn/domain/ids'
import {
  contextOf,
  fanOutSpanIdOf,
  ownContext,
  spanIdOf,
  toTraceparent,
  type TraceContext,
} from '@posthorn/domain/trace-context'

export interface FinishedSpan {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  kind: 'server' | 'internal' | 'client'
  /** Epoch ms. */
  startedAt: number
  endedAt: number
  attributes: Readonly<Record<string, string | number>>
  /** Why it failed; null: it did not. */
  fault: string | null
}

/** An event as whoever traces it knows it. */
export interface TracedEvent {
  tenantId: string
  eventId: string
  eventType: string | null
  /** As the caller gave it. */
  traceparent?: string | null | undefined
}

export interface TracedAttempt extends TracedEvent {
  /** A UUIDv7 of the time when the attempt began. */
  attemptId: string
  deliveryId: string
  /** null: a direct event, which has no fan-out. */
  endpointId: string | null
}

export interface AttemptEnd {
  attemptNumber: number
  statusCode: number | null
  outcome: string
  durationMs: number
  /** Why it failed; null: it was delivered. */
  category: string | null
}

export interface Tracing {
  accepted(event: TracedEvent, durationMs: number): void
  fannedOut(event: TracedEvent, deliveries: number, durationMs: number, endedAt: number): void
  /** What the attempt sends on. */
  traceparentOf(attempt: TracedAttempt): string
  attempted(attempt: TracedAttempt, end: AttemptEnd): void
}

/** @param ratio the share of events without a trace of their caller's that is exported */
export function createTracing(ratio: number, add: (span: FinishedSpan) => void): Tracing {
  const contextFor = ({ traceparent, eventId }: TracedEvent): TraceContext =>
    typeof traceparent === 'string' ? contextOf(traceparent) : ownContext(eventId, ratio)

  return {
    accepted(event, durationMs) {
      const { traceId, parentId, isSampled } = contextFor(event)
      if (!isSampled) return
      const startedAt = timeOfId(event.eventId)
      add({
        traceId,
        spanId: spanIdOf(event.eventId),
        parentId,
        name: 'accept event',
        kind: 'server',
        startedAt,
        endedAt: startedAt + durationMs,
        attributes: attributesOf(event),
        fault: null,
      })
    },
    fannedOut(event, deliveries, durationMs, endedAt) {
      const { traceId, isSampled } = contextFor(event)
      if (!isSampled) return
      add({
        traceId,
        spanId: fanOutSpanIdOf(event.eventId),
        parentId: spanIdOf(event.eventId),
        name: 'fan out event',
        kind: 'internal',
        startedAt: endedAt - durationMs,
        endedAt,
        attributes: { ...attributesOf(event), 'posthorn.deliveries': deliveries },
        fault: null,
      })
    },
    traceparentOf: (attempt) => toTraceparent(contextFor(attempt), spanIdOf(attempt.attemptId)),
    attempted(attempt, { attemptNumber, statusCode, outcome, durationMs, category }) {
      const { traceId, isSampled } = contextFor(attempt)
      if (!isSampled) return
      const { attemptId, deliveryId, endpointId, eventId } = attempt
      const startedAt = timeOfId(attemptId)
      add({
        traceId,
        spanId: spanIdOf(attemptId),
        parentId: endpointId === null ? spanIdOf(eventId) : fanOutSpanIdOf(eventId),
        name: 'attempt delivery',
        kind: 'client',
        startedAt,
        endedAt: startedAt + durationMs,
        attributes: {
          ...attributesOf(attempt),
          'posthorn.delivery_id': deliveryId,
          ...(endpointId !== null && { 'posthorn.endpoint_id': endpointId }),
          'posthorn.attempt_number': attemptNumber,
          'posthorn.outcome': outcome,
          ...(statusCode !== null && { 'http.response.status_code': statusCode }),
        },
        fault: category,
      })
    },
  }
}

function attributesOf({ tenantId, eventId, eventType }: TracedEvent): Record<string, string> {
  return {
    'posthorn.tenant_id': tenantId,
    'posthorn.event_id': eventId,
    ...(eventType !== null && { 'posthorn.event_type': eventType }),
  }
}
