/** Reads an event type by id or by name, or a page of them. */
import { type Handlers, rawJson } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { notFound } from '../refusals.ts'
import { eventTypesOf, toEventType, toEventTypeText } from './event-type-record.ts'

export interface ReadEventTypesDeps {
  database: Pick<Database, 'eventType'>
}

type ReadHandlers = Pick<
  Handlers<'portal-api'>,
  'listEventTypes' | 'getEventType' | 'getEventTypeByName'
>

export function createReadEventTypes({ database }: ReadEventTypesDeps): ReadHandlers {
  return {
    async listEventTypes({ caller, query }) {
      const rows = await database.eventType.findMany(pageOf(eventTypesOf(caller), query))
      const { data, pagination } = toPage(rows, query.limit, toEventTypeText)
      return rawJson(`{"data":[${data.join(',')}],"pagination":${JSON.stringify(pagination)}}`)
    },

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
