/**
 * Creates and changes event types. A schema is stored as the text that was sent. It is compiled
 * before it is saved, so that ingest never finds one that it can't use.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { UpdateEventType } from '@posthorn/contracts/event-types'
import { newId } from '@posthorn/domain/ids'
import { inTurns } from '@posthorn/async/in-turns'
import { memberSliceInSteps } from '@posthorn/domain/raw-json'
import type { Handlers } from '@posthorn/http/handlers'
import { compileSchema } from '@posthorn/json-schema/compile-schema'
import { refusal } from '@posthorn/http/refusal'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import { type Database, isDuplicate } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { isGoneParent, isGoneRow, notFound } from '../refusals.ts'
import { eventTypesOf, toEventType } from './event-type-record.ts'

export interface SaveEventTypeDeps {
  database: Pick<Database, '$transaction'>
  /** `MAX_EVENT_TYPES` */
  maxEventTypes: number
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<Handlers<'portal-api'>, 'createEventType' | 'updateEventType'>

export function createSaveEventType(deps: SaveEventTypeDeps): SaveHandlers {
  return {
    async createEventType({ caller, body, text, audit }) {
      const schema = (await schemaText(body, text)) ?? null
      const { tenantId, homeProjectId: projectId } = caller
      const { name, description = null, schemaVersion = null } = body
      const row = await deps.database
        .$transaction(async (transaction) => {
          const created = await transaction.eventType.create({
            data: { tenantId, id: newId(), projectId, name, description, schema, schemaVersion },
          })
          const changes = changesOf(null, created)
          await recordAudit(transaction, audit, { resourceId: created.id, changes })
          await bumpConfigVersion(transaction, tenantId)
          await checkCount(transaction, tenantId, {
            name: 'event types',
            max: deps.maxEventTypes,
            count: () => transaction.eventType.count({ where: { tenantId } }),
          })
          return created
        })
        .catch((error: unknown) => {
          throw isGoneParent(error) ? notFound('project') : nameTaken(error, name)
        })
      deps.announceChange(tenantId, 'event-types')
      return toEventType(row)
    },

    async updateEventType({ caller, params, body, text, audit }) {
      const given = { ...body, schema: await schemaText(body, text) }
      const data = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      )
      const where = { ...eventTypesOf(caller), id: params['id'] ?? '' }
      const row = await deps.database
        .$transaction(async (transaction) => {
          const before = await transaction.eventType.findFirst({ where })
          if (before === null) throw notFound('event type')
          const { tenantId, id } = before
          if (Object.keys(data).length === 0) {
            await recordAudit(transaction, audit, { resourceId: id, changes: [] })
            return before
          }
          const updated = await transaction.eventType.update({
            where: { tenantId_id: { tenantId, id } },
            data: { ...data, updatedAt: new Date(deps.now()) },
          })
          const changes = changesOf(before, updated)
          await recordAudit(transaction, audit, { resourceId: id, changes })
          await bumpConfigVersion(transaction, tenantId)
          return updated
        })
        .catch((error: unknown) => {
          throw isGoneRow(error) ? notFound('event type') : nameTaken(error, body.name ?? '')
        })
      deps.announceChange(caller.tenantId, 'event-types')
      return toEventType(row)
    },
  }
}

/** The text that was sent; undefined: the body has no schema; null: the schema is removed. */
async function schemaText(body: UpdateEventType, text: string): Promise<string | null | undefined> {
  if (body.schema === undefined || body.schema === null) return body.schema
  const compiled = compileSchema(body.schema)
  if (compiled.outcome === 'invalid') throw refusal('VALIDATION_ERROR', 'schema', compiled.problems)
  const slice = await inTurns(memberSliceInSteps(text, 'schema'))
  if (slice === null) throw new Error('a body has a schema that its text has not')
  return text.slice(slice.start, slice.end)
}

function nameTaken(error: unknown, name: string): unknown {
  if (!isDuplicate(error)) return error
  const message = `the project has an event type called ${name} already`
  return new ApiError('CONFLICT', message, {
    details: [{ path: 'name', message: 'is taken' }],
    cause: error,
  })
}
