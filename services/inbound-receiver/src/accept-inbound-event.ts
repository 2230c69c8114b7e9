/**
 * Makes an event of a verified request: runs the inbound endpoint's script, then writes the event,
 * which is durable when this returns.
 */
import { DEFAULT_PRIORITY } from '@posthorn/contracts/events'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { unavailable } from '@posthorn/http/errors'
import type { RunRequest, RunResult } from '@posthorn/sandbox/sandbox'
import type { AcceptOutcome, NewEvent } from '@posthorn/store/pipeline/accept-events'
import type { InboundSource } from './inbound-source.ts'

export interface VerifiedRequest {
  source: InboundSource
  traceId: string
  eventType: string
  /** The id is the same when the request is repeated. */
  deliveryId: string
  /** The text of a JSON object. */
  payload: string
  headers: Readonly<Record<string, string>>
}

export type InboundEventOutcome =
  /** `repeated`: the id of the event that the first request made. */
  | { outcome: 'accepted' | 'repeated'; eventId: string }
  | { outcome: 'dropped' }
  /** The endpoint's script failed or could not run. */
  | { outcome: 'failed' }

export type AcceptInboundEvent = (request: VerifiedRequest) => Promise<InboundEventOutcome>

export interface AcceptInboundEventDeps {
  run(request: RunRequest): Promise<RunResult>
  /** @returns null when too many events wait to be written */
  accept(event: NewEvent): Promise<AcceptOutcome | null>
  onAccepted(event: NewEvent, source: InboundSource): void
  onScriptFailed(source: InboundSource, detail: string): void
}

interface EventContent {
  payload: string
  headers: Readonly<Record<string, string>>
}

export function createAcceptInboundEvent(deps: AcceptInboundEventDeps): AcceptInboundEvent {
  return async (request) => {
    const id = newId()
    const content = await transform(deps, id, request)
    if (content === 'dropped' || content === 'failed') return { outcome: content }
    const event = toEvent(id, request, content)
    const written = await deps.accept(event)
    if (written === null) throw unavailable('too many events wait to be written; try again')
    if (written.outcome === 'accepted') {
      deps.onAccepted(event, request.source)
      return { outcome: 'accepted', eventId: id }
    }
    // The first request's key was removed in this moment, with its event: another repeat makes a
    // new event.
    if (written.eventId === '') throw unavailable('send it again')
    return { outcome: 'repeated', eventId: written.eventId }
  }
}

async function transform(
  deps: Pick<AcceptInboundEventDeps, 'run' | 'onScriptFailed'>,
  id: string,
  { source, eventType, payload, headers }: VerifiedRequest,
): Promise<EventContent | 'dropped' | 'failed'> {
  const { tenantId, transformation: script } = source
  if (script === null) return { payload, headers }
  const createdAt = new Date(timeOfId(id)).toISOString()
  const event = { id, eventType, payload, headers, createdAt }
  const key = `inbound:${source.id}:${source.version}`
  const ran = await deps.run({ tenantId, key, script, event, isInbound: true })
  if (ran.outcome !== 'ok') {
    deps.onScriptFailed(source, ran.detail)
    return 'failed'
  }
  if (ran.result === null) return 'dropped'
  return { payload: ran.result.payload ?? payload, headers: ran.result.headers ?? headers }
}

function toEvent(
  id: string,
  request: VerifiedRequest,
  { payload, headers }: EventContent,
): NewEvent {
  const { source, eventType, deliveryId, traceId } = request
  const { tenantId, projectId, destinationIds } = source
  return {
    tenantId,
    id,
    projectId,
    source: 'inbound',
    idempotencyKey: `inbound:${source.id}:${deliveryId}`,
    destination: null,
    targetId: null,
    eventType,
    payload,
    headers: Object.keys(headers).length === 0 ? null : JSON.stringify(headers),
    maxAttempts: null,
    priority: DEFAULT_PRIORITY,
    traceId,
    delaySeconds: 0,
    ...(destinationIds.length === 0 ? {} : { endpointIds: destinationIds }),
  }
}
