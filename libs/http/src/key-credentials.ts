/** Lets in by an API key, looked up by its SHA-256. */
import type { CallerActor } from '@posthorn/contracts/audit'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyDigest, hasApiKeyForm } from '@posthorn/domain/api-key'
import type { PlanName } from '@posthorn/domain/plans'
import { type CallerTenant, placeOf, type ProjectHeader, withProject } from './caller-place.ts'
import type { CredentialLookups } from './credential-lookups.ts'
import type { Authenticated } from './authenticated.ts'

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

/** @param now epoch ms */
export function createKeyCredentials(
  keys: CredentialLookups<FoundKey>,
  defaultPlan: PlanName,
  now: () => number,
): (presented: string, project: ProjectHeader) => Promise<Authenticated> {
  /** One answer for all of these: nobody is told what a key once was. */
  function inForce(key: FoundKey | null): FoundKey {
    if (key === null || key.revoked || (key.expiresAt !== null && key.expiresAt <= now())) {
      throw new ApiError('UNAUTHORIZED', 'the API key is unknown, revoked or expired')
    }
    return key
  }

  return async (presented, project) => {
    const digest = apiKeyDigest(presented)
    const isTooLong = presented.length > MAX_KEY_CHARACTERS
    const isPlausible = (): boolean => hasApiKeyForm(presented)
    const found = inForce(isTooLong ? null : await keys.find(digest, isPlausible))
    const { keyId, rateLimit } = found
    return {
      keyId,
      rateLimit,
      mustEnrol: false,
      extendedUntil: null,
      async caller() {
        const key = await withProject(found, project, async () =>
          inForce(await keys.findNow(digest)),
        )
        const { scopes, keyProjectId } = key
        const who = { keyId, role: null, user: null, sessionId: null, scopes }
        return { ...who, actor: keyActor(key), ...placeOf(key, keyProjectId, project, defaultPlan) }
      },
    }
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
