/** Where a request acts that names a sub-account by `X-Sub-Account-ID`. */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@posthorn/contracts/errors'
import {
  type CallerPlace,
  homeOf,
  projectOf,
  type ProjectHeader,
  type TenantProject,
} from './caller-place.ts'
import type { CredentialLookups } from './credential-lookups.ts'
import type { Caller, SessionCaller } from './handlers.ts'

/** Names the sub-account to act in, by its id or its external id. */
export const SUB_ACCOUNT_HEADER = 'x-sub-account-id'
const MAX_NAME_CHARACTERS = 255

/** A workspace's sub-account that a request acts in. */
export interface FoundSubAccount {
  tenantId: string
  parentId: string
  isDeactivated: boolean
  /** All projects of the sub-account, the default one first. */
  projects: TenantProject[]
}

/**
 * The same caller, acting in a sub-account. One that was made a moment ago must be there for
 * whoever was told so.
 *
 * @param header as it came
 */
export async function inSubAccount(
  subAccounts: CredentialLookups<FoundSubAccount>,
  caller: Caller | SessionCaller,
  header: string,
  project: ProjectHeader,
): Promise<Caller> {
  const reference = `${caller.tenantId}/${nameOf(header)}`
  const found =
    (await subAccounts.find(reference, () => true)) ?? (await subAccounts.findNow(reference))
  if (found === null) throw unknown()
  return { ...caller, ...placeInSubAccount(caller, found, project) }
}

/** Throws BAD_REQUEST where a route that acts in no sub-account is sent the name of one. */
export function refuseSubAccountHeader(
  { headers }: { headers: IncomingHttpHeaders },
  mayActInOne: boolean,
): void {
  if (mayActInOne || headers[SUB_ACCOUNT_HEADER] === undefined) return
  throw new ApiError('BAD_REQUEST', 'this route does not act in a sub-account: X-Sub-Account-ID')
}

/** Headers arrive as bytes, one a character; external ids may be any text, sent as UTF-8. */
function nameOf(header: string): string {
  const name = Buffer.from(header, 'latin1').toString('utf8')
  if (name === '' || name.length > MAX_NAME_CHARACTERS || name.includes('\0')) throw unknown()
  return name
}

function unknown(): ApiError {
  return new ApiError('NOT_FOUND', 'X-Sub-Account-ID names no sub-account of this workspace')
}

/**
 * The place of a request that acts in a sub-account: `X-Project-ID` names one of its projects. A
 * key that is bound to a project of the parent can't leave it.
 */
function placeInSubAccount(
  parent: Caller,
  { tenantId, isDeactivated, projects }: FoundSubAccount,
  asked: ProjectHeader,
): CallerPlace {
  if (parent.keyProjectId !== null) {
    throw new ApiError('FORBIDDEN', 'the API key is bound to a project and acts in no sub-account')
  }
  const projectId = projectOf(projects, null, asked)
  const home = homeOf(projects, projectId, tenantId)
  return {
    tenantId,
    parent: { tenantId: parent.tenantId, homeProjectId: parent.homeProjectId, isDeactivated },
    plan: parent.plan,
    projectId,
    homeProjectId: home.id,
    keyProjectId: null,
    environment: home.environment,
  }
}
