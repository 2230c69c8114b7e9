/** The workspace and the project that a credential and `X-Project-ID` together name. */
import { ApiError } from '@posthorn/contracts/errors'
import type { Environment } from '@posthorn/domain/api-key'
import { isUuid } from '@posthorn/domain/ids'
import { type PlanName, planNamed } from '@posthorn/domain/plans'
import type { Caller } from './handlers.ts'

/** A workspace, as far as a request needs it. */
export interface CallerTenant {
  tenantId: string
  /** The plan of the subscription in force; null: there is none. */
  plan: string | null
  /** All projects of the tenant, the default one first. */
  projects: TenantProject[]
}

export interface TenantProject {
  id: string
  environment: Environment
}

/** As the header came. */
export type ProjectHeader = string | string[] | undefined

export type CallerPlace = Pick<
  Caller,
  'tenantId' | 'parent' | 'plan' | 'projectId' | 'homeProjectId' | 'keyProjectId' | 'environment'
>

export function placeOf(
  tenant: CallerTenant,
  keyProjectId: string | null,
  asked: ProjectHeader,
  defaultPlan: PlanName,
): CallerPlace {
  const projectId = projectOf(tenant.projects, keyProjectId, asked)
  const home = homeOf(tenant.projects, projectId, tenant.tenantId)
  return {
    tenantId: tenant.tenantId,
    parent: null,
    plan: planNamed(tenant.plan, defaultPlan),
    projectId,
    homeProjectId: home.id,
    keyProjectId,
    environment: home.environment,
  }
}

export function homeOf(
  projects: readonly TenantProject[],
  projectId: string | null,
  tenantId: string,
): TenantProject {
  const home = projects.find(({ id }) => id === (projectId ?? projects[0]?.id))
  if (home === undefined) throw new Error(`tenant ${tenantId} has no default project`)
  return home
}

export function projectOf(
  projects: readonly TenantProject[],
  keyProjectId: string | null,
  asked: ProjectHeader,
): string | null {
  if (asked === undefined) return keyProjectId
  const id = String(asked).toLowerCase()
  if (!isUuid(id) || !projects.some((project) => project.id === id)) {
    throw new ApiError('NOT_FOUND', 'X-Project-ID names no project of this workspace')
  }
  if (keyProjectId !== null && keyProjectId !== id) {
    throw new ApiError(
      'FORBIDDEN',
      'the API key is bound to another project than X-Project-ID names',
    )
  }
  return id
}

/**
 * What was found, or what there is now where the header names a project that is not in it: one that
 * was made a moment ago must be there for whoever was told so.
 */
export async function withProject<Found extends CallerTenant>(
  found: Found,
  asked: ProjectHeader,
  findNow: () => Promise<Found>,
): Promise<Found> {
  if (typeof asked !== 'string' || !isUuid(asked)) return found
  return found.projects.some(({ id }) => id === asked.toLowerCase()) ? found : await findNow()
}
