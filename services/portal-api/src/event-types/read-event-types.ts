/** Reads an event type by id or by name, or a page of them. */
import { type Caller, type Handlers, rawJson, type RawJson } from '@posthorn/http/handlers'
import type { PageQuery } from '@posthorn/contracts/fields'
import { toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'
import {
  eventTypesOf,
  toEventType,
  toEventTypeText,
  toPortalEventTypeText,
} from './event-type-record.ts'
import type { EventType } from '@posthorn/store/generated/client'

export interface ReadEventTypesDeps {
  database: Pick<Database, 'eventType'>
}

type ReadHandlers = Pick<
  Handlers<'portal-api'>,
  'listEventTypes' | 'getEventType' | 'getEventTypeByName' | 'listSubAccountEventTypes'
>

export function createReadEventTypes({ database }: ReadEventTypesDeps): ReadHandlers {
  async function list(
    caller: Caller,
    query: PageQuery,
    toText: (row: EventType) => string,
  ): Promise<RawJson> {
    const rows = await database.eventType.findMany(pageOf(eventTypesOf(caller), query))
    const { data, pagination } = toPage(rows, query.limit, toText)
    return rawJson(`{"data":[${data.join(',')}],"pagination":${JSON.stringify(pagination)}}`)
  }

  return {
    listEventTypes: ({ caller, query }) => list(caller, query, toEventTypeText),
    listSubAccountEventTypes: ({ caller, query }) => list(caller, query, toPortalEventTypeText),

    async getEventType({ caller, params }) {
      const where = { ...eventTypesOf(caller), id: params['id'] ?? '' }
      const row = await database.eventType.findFirst({ where })
      if (row === null) throw notFound('event type')
      return toEventType(row)
    },

    /**
     * A name is unique within a project only: the default project's type comes first, otherwise the
     * oldest one.
     */
    async getEventTypeByName({ caller, params }) {
      const where = { ...eventTypesOf(caller), name: params['name'] ?? '' }
      const home = { ...where, projectId: caller.parent?.homeProjectId ?? caller.homeProjectId }
      const row =
        (await database.eventType.findFirst({ where: home })) ??
        (await database.eventType.findFirst({ where, orderBy: { id: 'asc' } }))
      if (row === null) throw notFound('event type')
      return toEventType(row)
    },
  }
}
