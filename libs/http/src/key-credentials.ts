/** Lets in by an API key, looked up by its SHA-256. */
import type { CallerActor } from '@posthorn/contracts/audit'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyDigest, hasApiKeyForm } from '@posthorn/domain/api-key'
import type { PlanName } from '@posthorn/domain/plans'
import { type CallerTenant, placeOf, type ProjectHeader, withProject } from './caller-place.ts'
import type { CredentialLookups } from './credential-lookups.ts'
import type { Authenticated } from './authenticated.ts'
import type { Caller } from './handlers.ts'

export interface FoundKey extends CallerTenant {
  keyId: string
  name: string
  /** The person behind the key; null: nobody knows. */
  createdByUser: string | null
  scopes: string[]
  /** Requests a second; null: no limit. */
  rateLimit: number | null
  /** Epoch ms; null: never. */
  expiresAt: number | null
  revoked: boolean
  keyProjectId: string | null
}

/** Our keys have 57 characters; BOOTSTRAP_API_KEY may have any number up to this one. */
const MAX_KEY_CHARACTERS = 255

/**
 * It answers without a promise what it knows, as for nearly every request: each promise that is
 * waited for takes some 300 bytes.
 *
 * @param now epoch ms
 */
export function createKeyCredentials(
  keys: CredentialLookups<FoundKey>,
  defaultPlan: PlanName,
  now: () => number,
): (presented: string, project: ProjectHeader) => Authenticated | Promise<Authenticated> {
  /** What most requests are let in by: they name no project, and their key is known. */
  const withoutProject = new WeakMap<FoundKey, Authenticated>()

  /** One answer for all of these: nobody is told what a key once was. */
  function inForce(key: FoundKey | null): FoundKey {
    if (key === null || key.revoked || (key.expiresAt !== null && key.expiresAt <= now())) {
      throw new ApiError('UNAUTHORIZED', 'the API key is unknown, revoked or expired')
    }
    return key
  }

  function callerOf(key: FoundKey, project: ProjectHeader): Caller {
    const { keyId, scopes, keyProjectId } = key
    const who = { keyId, role: null, user: null, sessionId: null, scopes }
    return { ...who, actor: keyActor(key), ...placeOf(key, keyProjectId, project, defaultPlan) }
  }

  function authenticatedBy(found: FoundKey, caller: () => Caller | Promise<Caller>): Authenticated {
    const { keyId, rateLimit } = found
    return { keyId, rateLimit, mustEnrol: false, extendedUntil: null, caller }
  }

  function inAnyProject(found: FoundKey): Authenticated {
    let known = withoutProject.get(found)
    if (known === undefined) {
      let caller: Caller | undefined
      known = authenticatedBy(found, () => (caller ??= callerOf(found, undefined)))
      withoutProject.set(found, known)
    }
    return known
  }

  function enter(key: FoundKey | null, digest: string, project: ProjectHeader): Authenticated {
    const found = inForce(key)
    if (project === undefined) return inAnyProject(found)
    return authenticatedBy(found, async () => {
      const findNow = async (): Promise<FoundKey> => inForce(await keys.findNow(digest))
      return callerOf(await withProject(found, project, findNow), project)
    })
  }

  return (presented, project) => {
    const digest = apiKeyDigest(presented)
    if (presented.length > MAX_KEY_CHARACTERS) return enter(null, digest, project)
    const found = keys.find(digest, () => hasApiKeyForm(presented))
    if (found instanceof Promise) return found.then((key) => enter(key, digest, project))
    return enter(found, digest, project)
  }
}

/** Who an API key, or a session that was made from it, acts as. */
export function keyActor({
  keyId,
  name,
  createdByUser,
}: Pick<FoundKey, 'keyId' | 'name' | 'createdByUser'>): CallerActor {
  return { type: 'api_key', id: keyId, name, userId: createdByUser }
}
