/** Lists a tenant's projects. */
import type { Handlers } from '@posthorn/http/handlers'
import { toPage } from '@posthorn/http/page'
import type { Database } from '@posthorn/store/prisma'
import { pageOf } from '../list-page.ts'
import { projectsOf, toProject } from './project-record.ts'

export interface ListProjectsDeps {
  database: Pick<Database, 'project'>
}

export function createListProjects({
  database,
}: ListProjectsDeps): Handlers<'portal-api'>['listProjects'] {
  return async ({ caller, query }) => {
    const rows = await database.project.findMany(pageOf(projectsOf(caller), query))
    return toPage(rows, query.limit, toProject)
  }
}
