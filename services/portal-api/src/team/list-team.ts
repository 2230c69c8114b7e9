/** Lists a workspace's members and open invitations. */
import type { Handlers } from '@posthorn/http/handlers'
import { decodeCursor, toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { readTeam, toTeamMember } from './team-record.ts'

export interface ListTeamDeps {
  database: Pick<Database, '$queryRaw'>
}

export function createListTeam({ database }: ListTeamDeps): Handlers<'portal-api'>['listTeam'] {
  return async ({ caller, query }) => {
    const after = decodeCursor(query.cursor)
    const rows = await readTeam(database, caller.tenantId, after, query.limit + 1)
    return toPage(rows, query.limit, toTeamMember)
  }
}
