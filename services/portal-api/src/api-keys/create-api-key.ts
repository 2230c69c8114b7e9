/**
 * Creates an API key. The key itself is shown in this answer only; its SHA-256 is stored. A key
 * can't make one that may do more than itself, and the number of a tenant's keys is limited, so
 * that they can be kept in view.
 */
import type { CreateApiKey } from '@posthorn/contracts/api-keys'
import { ApiError } from '@posthorn/contracts/errors'
import { apiKeyPrefix, hashApiKey, newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { grants, type Scope } from '@posthorn/domain/scopes'
import { badField } from '@posthorn/http/errors'
import { actorOf, type Caller, type Handlers } from '@posthorn/http/handlers'
import type { ApiKey } from '@posthorn/store/generated/client'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { checkCount } from '../check-count.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { isGoneParent, notFound } from '../refusals.ts'
import { toApiKey } from './api-key-record.ts'

export interface CreateApiKeyDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

/** Counts the keys that are neither revoked nor expired. */
const MAX_KEYS = 100

export function createCreateApiKey(deps: CreateApiKeyDeps): Handlers<'portal-api'>['createApiKey'] {
  return async ({ caller, body, audit }) => {
    const now = deps.now()
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null
    if (expiresAt !== null && expiresAt.getTime() <= now) {
      throw badField('expiresAt', 'must lie in the future')
    }
    const key = newApiKey(caller.environment)
    const { tenantId, projectId } = caller
    const scopes = [...new Set(body.scopes)]
    const row = await deps.database
      .$transaction(async (transaction) => {
        await refuseBeyond(transaction, caller, { ...body, expiresAt })
        const created = await transaction.apiKey.create({
          data: {
            tenantId,
            id: newId(),
            projectId,
            name: body.name,
            keyHash: Uint8Array.from(hashApiKey(key)),
            keyPrefix: apiKeyPrefix(key),
            scopes,
            rateLimit: body.rateLimit ?? null,
            expiresAt,
            createdBy: actorOf(caller),
            createdByUser: caller.actor.userId,
          },
        })
        const changes = changesOf(null, toApiKey(created, now))
        await recordAudit(transaction, audit, { resourceId: created.id, changes })
        const inForce = {
          revokedAt: null,
          OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(now) } }],
        }
        await checkCount(transaction, tenantId, {
          name: 'API keys in force',
          max: MAX_KEYS,
          count: () => transaction.apiKey.count({ where: { tenantId, ...inForce } }),
        })
        return created
      })
      .catch((error: unknown) => {
        throw isGoneParent(error) ? notFound('project') : error
      })
    deps.announceChange(tenantId, 'api-keys')
    return { ...toApiKey(row, now), key }
  }
}

type Requested = Pick<CreateApiKey, 'scopes' | 'rateLimit'> & { expiresAt: Date | null }

/**
 * An admin may grant anything, and only admins make keys. The member or the key is read again,
 * because what is cached of them may be a second old.
 */
async function refuseBeyond(
  transaction: Transaction,
  { tenantId, user, keyId }: Caller,
  requested: Requested,
): Promise<void> {
  if (user !== null || keyId === null) {
    const userId = user?.id ?? ''
    const isAdmin = { tenantId, userId, role: 'admin', status: 'active' }
    if (user !== null && (await transaction.membership.count({ where: isAdmin })) > 0) return
    throw new ApiError('FORBIDDEN', 'this needs the role admin')
  }
  const own = await transaction.apiKey.findUnique({
    where: { tenantId_id: { tenantId, id: keyId } },
  })
  const beyond = own === null ? 'anything' : beyondOf(own, requested)
  if (beyond === null) return
  throw new ApiError('FORBIDDEN', `the API key can't grant what it lacks itself: ${beyond}`)
}

/**
 * What the new key would be allowed that its maker is not; null: nothing. A maker that is bound to
 * a project passes the project on.
 */
function beyondOf(own: ApiKey, { scopes, rateLimit, expiresAt }: Requested): string | null {
  const scope = scopes.find((one) => !grants(own.scopes, one as Scope))
  if (scope !== undefined) return scope
  if (own.rateLimit !== null && (rateLimit ?? Number.POSITIVE_INFINITY) > own.rateLimit) {
    return `a rateLimit over ${own.rateLimit}, or none`
  }
  const { expiresAt: end } = own
  if (end !== null && (expiresAt === null || expiresAt > end)) {
    return `an expiresAt after ${end.toISOString()}, or none`
  }
  return null
}
