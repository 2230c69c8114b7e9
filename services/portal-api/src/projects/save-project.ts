/**
 * Creates and changes projects. A key that is bound to a project can't make another, because it
 * could not see it.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import type { Handlers } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { projectOf, toProject } from './project-record.ts'

export interface SaveProjectDeps {
  database: Pick<Database, '$transaction'>
  /** `MAX_PROJECTS` */
  maxProjects: number
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SaveHandlers = Pick<Handlers<'portal-api'>, 'createProject' | 'updateProject'>

export function createSaveProject(deps: SaveProjectDeps): SaveHandlers {
  return {
    async createProject({ caller, body, audit }) {
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
        await bumpConfigVersion(transaction, tenantId)
        const changes = changesOf(null, toProject(created))
        await recordAudit(transaction, audit, { resourceId: created.id, changes })
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

    async updateProject({ caller, params, body, audit }) {
      const where = projectOf(caller, params['id'] ?? '')
      if (where === null) throw notFound('project')
      const data = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      )
      const row = await deps.database.$transaction(async (transaction) => {
        const before = await transaction.project.findFirst({ where })
        if (before === null) throw notFound('project')
        const change = { ...data, updatedAt: new Date(deps.now()) }
        const [after] =
          Object.keys(data).length === 0
            ? [before]
            : await transaction.project.updateManyAndReturn({ where, data: change })
        if (after === undefined) throw notFound('project')
        await bumpConfigVersion(transaction, caller.tenantId)
        const changes = changesOf(toProject(before), toProject(after))
        await recordAudit(transaction, audit, { resourceId: before.id, changes })
        return after
      })
      deps.announceChange(caller.tenantId, 'projects')
      return toProject(row)
    },
  }
}
