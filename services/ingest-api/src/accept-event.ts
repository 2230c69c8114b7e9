/**
 * POST /events: checks the event, writes it, and answers 201 only after the commit. The
 * announcement does not delay the answer.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { type CreateEvent, DEFAULT_ATTEMPTS, type EventCreated } from '@posthorn/contracts/events'
import { idempotencyKeyProblem } from '@posthorn/contracts/fields'
import { badField } from '@posthorn/http/errors'
import { type ApiRequest, payerOf } from '@posthorn/http/handlers'
import type { NewEvent } from '@posthorn/store/pipeline/accept-events'
import { type CheckDestination, requireDestination } from './check-destination.ts'
import { type CheckPayload, schemaOf } from './check-payload.ts'
import { timestampOf } from './event-record.ts'
import { newEvent } from './new-event.ts'
import { payloadOf } from './payload-text.ts'
import type { RequireQuota } from './require-quota.ts'
import type { WriteEvents } from './write-events.ts'

export interface AcceptEventDeps {
  requireQuota: RequireQuota
  checkDestination: CheckDestination
  checkPayload: CheckPayload
  write: WriteEvents['write']
  /** Called for each accepted event, for its log line and metrics. */
  onAccepted(kind: 'direct' | 'typed', event: NewEvent, payerId: string, startedAt: number): void
}

export function createAcceptEvent(config: { maxPayloadBytes: number }, deps: AcceptEventDeps) {
  return async (request: ApiRequest<CreateEvent, undefined>): Promise<EventCreated> => {
    const startedAt = performance.now()
    const { caller, body, text, requestId } = request
    const reading = deps.requireQuota(caller, 1)
    if (reading !== undefined) await reading
    const idempotencyKey = readIdempotencyKey(request.header('X-Idempotency-Key'))
    const payload = payloadOf(text, 0, config.maxPayloadBytes, 'payload')
    if (body.destination !== undefined)
      requireDestination(deps.checkDestination, body.destination, 'destination')
    const event = newEvent(caller, requestId, {
      ...body,
      source: 'api',
      idempotencyKey,
      payload,
      traceparent: request.header('traceparent'),
    })
    if (body.eventType !== undefined)
      await deps.checkPayload(schemaOf(caller, event.projectId, body.eventType), body.payload)

    const accepted = await deps.write(event)
    if (accepted.outcome === 'duplicate') {
      const details = { eventId: accepted.eventId }
      throw new ApiError('CONFLICT', 'the idempotency key was used before, for details.eventId', {
        details,
      })
    }
    const kind = body.destination === undefined ? 'typed' : 'direct'
    deps.onAccepted(kind, event, payerOf(caller), startedAt)
    return toCreated(event)
  }
}

function readIdempotencyKey(given: string | undefined): string {
  if (given === undefined || given === '') throw badField('X-Idempotency-Key', 'is missing')
  const problem = idempotencyKeyProblem(given)
  if (problem !== null) throw badField('X-Idempotency-Key', problem)
  return given
}

function toCreated(event: NewEvent): EventCreated {
  return {
    id: event.id,
    idempotencyKey: event.idempotencyKey,
    destination: event.destination,
    eventType: event.eventType,
    status: 'queued',
    attempts: 0,
    maxAttempts: event.maxAttempts ?? DEFAULT_ATTEMPTS,
    priority: event.priority,
    createdAt: timestampOf(event.id),
  }
}
