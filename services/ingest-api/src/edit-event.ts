/**
 * PATCH /events/:eventId: edits a failed or dead event and, when asked to, replays it, in one
 * transaction.
 */
import type { AuditChange } from '@posthorn/contracts/audit'
import { ApiError } from '@posthorn/contracts/errors'
import type { EditEvent } from '@posthorn/contracts/events'
import { badField } from '@posthorn/http/errors'
import type { ApiRequest, RawJson } from '@posthorn/http/handlers'
import { urlHintOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import {
  type EventEdit,
  editEvent,
  type RecordChange,
} from '@posthorn/store/pipeline/replay-events'
import type { Pool } from '@posthorn/store/pool'
import type { Announce } from './announce.ts'
import { type CheckDestination, requireDestination } from './check-destination.ts'
import { type CheckPayload, schemaOf } from './check-payload.ts'
import { readEvent, toDetail } from './get-event.ts'
import { payloadOf } from './payload-text.ts'
import { replayRefusal } from './replay-refusal.ts'

export interface EditEventDeps {
  pool: Pool
  checkDestination: CheckDestination
  checkPayload: CheckPayload
  announce: Announce
}

export function createEditEvent(config: { maxPayloadBytes: number }, deps: EditEventDeps) {
  return async (request: ApiRequest<EditEvent, undefined>): Promise<RawJson> => {
    const { caller, body, text } = request
    const eventId = request.params.eventId as string
    const edit = toEdit(body, text, config.maxPayloadBytes)
    if (!body.replay && Object.keys(edit).length === 0) {
      throw new ApiError(
        'BAD_REQUEST',
        'nothing to change: give destination, payload, headers or replay',
      )
    }
    if (body.destination !== undefined)
      requireDestination(deps.checkDestination, body.destination, 'destination')
    const { eventType, projectId } = await readEvent(deps.pool, caller, eventId)
    if (eventType !== null) {
      if (body.destination !== undefined)
        throw badField('destination', 'is fixed: the event goes out by its type')
      const type = schemaOf(caller, projectId, eventType)
      if (body.payload !== undefined) await deps.checkPayload(type, body.payload)
    }

    const record: RecordChange = async (client) =>
      await recordAudit(client, request.audit, {
        resourceId: eventId,
        changes: changesOfEdit(edit),
        metadata: { replay: body.replay },
      })
    const edited = await editEvent(deps.pool, caller.tenantId, eventId, edit, body.replay, record)
    if (edited.outcome === 'wrong-state') {
      const needed = body.replay
        ? 'a delivery that is dead or waits for its next attempt'
        : 'to be failed or dead'
      const refused = replayRefusal(edited.refusals)
      throw new ApiError('INVALID_STATE', refused ?? `the event needs ${needed}`)
    }
    if (edited.replayed !== null) deps.announce.replayed(edited.replayed)
    return await toDetail(deps.pool, caller, await readEvent(deps.pool, caller, eventId))
  }
}

/** Payloads and headers are the customers' own, and may hold anything. */
function changesOfEdit(edit: EventEdit): AuditChange[] {
  return Object.entries(edit).map(([field, value]) => ({
    field,
    from: null,
    to: field === 'destination' ? urlHintOf(value) : 'changed',
  }))
}

function toEdit(body: EditEvent, text: string, maxPayloadBytes: number): EventEdit {
  const edit: EventEdit = {}
  if (body.destination !== undefined) edit.destination = body.destination
  if (body.payload !== undefined) edit.payload = payloadOf(text, 0, maxPayloadBytes, 'payload')
  if (body.headers !== undefined) edit.headers = JSON.stringify(body.headers)
  return edit
}
