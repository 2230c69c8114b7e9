/** A project as the API shows it, and the projects that a caller can see. */
import type { Project } from '@posthorn/contracts/projects'
import type { Caller } from '@posthorn/http/handlers'
import type { Project as Row } from '@posthorn/store/generated/client'

/** A caller that is confined to a project sees no other. */
export function projectsOf(caller: Caller): { tenantId: string; id?: string } {
  const { tenantId, projectId } = caller
  return { tenantId, ...(projectId === null ? {} : { id: projectId }) }
}

/** The project with this id; null when the caller can't see it. */
export function projectOf(caller: Caller, id: string): { tenantId: string; id: string } | null {
  if (caller.projectId !== null && caller.projectId !== id.toLowerCase()) return null
  return { tenantId: caller.tenantId, id }
}

export function toProject(row: Row): Project {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment as Project['environment'],
    isDefault: row.isDefault,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
