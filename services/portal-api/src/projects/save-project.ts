/**
 * Creates and changes projects. A key that is bound to a project can't make another, because it
 * could not see it.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { projectOf, toProject } from './project-record.ts'

export interface SaveProjectDeps {
  database: Pick<Database, 'project' | '$transaction'>
  /** `MAX_PROJECTS` */
  maxProjects: number
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<Handlers<'portal-api'>, 'createProject' | 'updateProject'>

export function createSaveProject(deps: SaveProjectDeps): SaveHandlers {
  return {
    async createProject({ caller, body }) {
      if (caller.keyProjectId !== null) {
        throw new ApiError(
          'FORBIDDEN',
          'the API key is bound to a project: make projects with one that is not',
        )
      }
      const { tenantId } = caller
      const { name, environment } = body
      const row = await deps.database.$transaction(async (transaction) => {
        const created = await transaction.project.create({
          data: { tenantId, id: newId(), name, environment },
        })
        await checkCount(transaction, tenantId, {
          name: 'projects',
          max: deps.maxProjects,
          count: () => transaction.project.count({ where: { tenantId } }),
        })
        return created
      })
      deps.announceChange(tenantId, 'projects')
      return toProject(row)
    },

    async updateProject({ caller, params, body }) {
      const where = projectOf(caller, params['id'] ?? '')
      if (where === null) throw notFound('project')
      const data = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      )
      if (Object.keys(data).length > 0) {
        const updatedAt = new Date(deps.now())
        await deps.database.project.updateMany({ where, data: { ...data, updatedAt } })
      }
      const row = await deps.database.project.findFirst({ where })
      if (row === null) throw notFound('project')
      deps.announceChange(caller.tenantId, 'projects')
      return toProject(row)
    },
  }
}
