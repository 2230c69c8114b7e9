/** Lists and reads the members of a workspace for its identity provider. */
import type { ScimListQuery } from '@posthorn/contracts/scim'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import { notFound } from '../refusals.ts'
import { MAX_RESULTS } from './discovery-documents.ts'
import { findMember, findMembers } from './find-members.ts'
import { parseFilter } from './parse-filter.ts'
import { project, toList, toResource } from './user-resource.ts'

type ReadHandlers = Pick<
  Handlers<'portal-api'>,
  'listScimUsers' | 'searchScimUsers' | 'getScimUser' | 'listScimGroups'
>

const DEFAULT_COUNT = 100
/** What OFFSET can be. */
const MAX_INDEX = 1_000_000_000

export function createReadScimUsers(
  publicUrl: string,
  { database }: { database: Pick<Database, '$queryRawUnsafe'> },
): ReadHandlers {
  async function list(tenantId: string, query: ScimListQuery): Promise<Record<string, unknown>> {
    const { startIndex, count } = pageOf(query)
    const filter = query.filter === undefined ? [] : parseFilter(query.filter)
    const page = { filter, offset: startIndex - 1, limit: count }
    const { total, members } = await findMembers(database, tenantId, page)
    const shown = members.map((member) => project(toResource(member, publicUrl), query))
    return { ...toList(shown, { total, startIndex }) }
  }

  return {
    listScimUsers: async ({ caller, query }) => await list(caller.tenantId, query),
    async searchScimUsers({ caller, body }) {
      const { filter, startIndex, count, attributes, excludedAttributes } = body
      return await list(caller.tenantId, {
        filter,
        startIndex: startIndex === undefined ? undefined : String(startIndex),
        count: count === undefined ? undefined : String(count),
        attributes: attributes?.join(),
        excludedAttributes: excludedAttributes?.join(),
      })
    },
    async getScimUser({ caller, params, query }) {
      const member = await findMember(database, caller.tenantId, params['id'] ?? '')
      if (member === null) throw notFound('user')
      return { ...project(toResource(member, publicUrl), query) }
    },
    listScimGroups: async ({ query }) => ({
      ...toList([], { total: 0, startIndex: pageOf(query).startIndex }),
    }),
  }
}

function pageOf({ startIndex, count }: ScimListQuery): { startIndex: number; count: number } {
  return {
    startIndex: Math.min(MAX_INDEX, Math.max(1, Number(startIndex ?? 1))),
    count: Math.min(MAX_RESULTS, Math.max(0, Number(count ?? DEFAULT_COUNT))),
  }
}
