/**
 * Deletes a project that has no endpoints and no inbound endpoints. Its event types are deleted
 * with it, and so are the keys that are bound to it, because they could reach nothing any more. Its
 * events and their attempts stay as long as their retention, and can be read without
 * `X-Project-ID`.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { projectOf } from './project-record.ts'

export interface DeleteProjectDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
}

export function createDeleteProject(
  deps: DeleteProjectDeps,
): Handlers<'portal-api'>['deleteProject'] {
  return async ({ caller, params, audit }) => {
    const key = projectOf(caller, params['id'] ?? '')
    if (key === null) throw notFound('project')
    const { tenantId, id } = key
    await deps.database.$transaction(async (transaction) => {
      // From here on nothing can be added to the project: the foreign key of a new row waits for
      // this lock, and then fails.
      await transaction.$queryRaw`SELECT FROM projects WHERE tenant_id = ${tenantId}::uuid
        AND id = ${id}::uuid FOR UPDATE`
      const project = await transaction.project.findFirst({ where: key })
      if (project === null) throw notFound('project')
      if (project.isDefault)
        throw new ApiError('INVALID_STATE', "the default project can't be deleted")

      const ofProject = { tenantId, projectId: id }
      const endpoints = await transaction.endpoint.count({
        where: { ...ofProject, deletedAt: null },
      })
      if (endpoints > 0) {
        const message = `the project still has ${endpoints} endpoints; delete them first`
        throw new ApiError('INVALID_STATE', message)
      }
      const inboundEndpoints = await transaction.inboundEndpoint.count({ where: ofProject })
      if (inboundEndpoints > 0) {
        const message = `the project still has ${inboundEndpoints} inbound endpoints; delete them first`
        throw new ApiError('INVALID_STATE', message)
      }
      // Those that were deleted before have kept their rows.
      await transaction.endpoint.deleteMany({ where: ofProject })
      await transaction.eventType.deleteMany({ where: ofProject })
      await transaction.apiKey.deleteMany({ where: ofProject })
      await transaction.project.delete({ where: { tenantId_id: key } })
      const metadata = { name: project.name }
      await recordAudit(transaction, audit, { resourceId: id, metadata })
      await bumpConfigVersion(transaction, tenantId)
    })
    for (const what of ['projects', 'api-keys', 'event-types'] as const)
      deps.announceChange(tenantId, what)
    return undefined
  }
}
