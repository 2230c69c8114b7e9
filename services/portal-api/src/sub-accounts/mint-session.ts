/**
 * Mints a sub-account's session: a row of the registry, and a link to the portal whose token can be
 * exchanged once for the session's cookie. What the session may do and where it returns to are
 * decided here and stay so.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { DEFAULT_SESSION_SECONDS, type MintSubAccountSession } from '@posthorn/contracts/portal'
import { newId } from '@posthorn/domain/ids'
import { PORTAL_CAPABILITIES } from '@posthorn/domain/portal-capabilities'
import { actorOf, type Caller, type Handlers } from '@posthorn/http/handlers'
import type { PortalSessions } from '@posthorn/http/portal-sessions'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { notFound } from '../refusals.ts'

export interface MintSessionDeps {
  database: Pick<Database, '$transaction'>
  portal: Pick<PortalSessions, 'tokens' | 'portalUrl'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

const MAX_LIFE_MS = 24 * 3_600_000
/** Bounds what the revocation of all of them writes at once. */
const MAX_SESSIONS = 10_000

interface NewSession {
  tenantId: string
  id: string
  scopes: MintSubAccountSession['scopes'] & object
  returnUrl: string
  createdBy: string
  createdAt: Date
  expiresAt: Date
  maxExpiresAt: Date
}

export function createMintSession(
  deps: MintSessionDeps,
): Handlers<'portal-api'>['mintSubAccountSession'] {
  return async ({ caller, params, body, audit }) => {
    const tenantId = params['id'] ?? ''
    const session = await deps.database.$transaction(async (transaction) => {
      await requireActive(transaction, caller.tenantId, tenantId)
      const returnUrl =
        body.returnURL ?? body.returnUrl ?? (await defaultReturnUrl(transaction, caller.tenantId))
      const made = newSession({ caller, tenantId, body, returnUrl, now: deps.now() })
      await transaction.subAccountSession.create({ data: made })
      await requireRoom(transaction, tenantId, made.createdAt)
      await recordAudit(transaction, audit, {
        resourceId: made.id,
        metadata: { subAccountId: tenantId, scopes: made.scopes, returnUrl },
      })
      return made
    })
    const token = deps.portal.tokens.sign({
      jti: session.id,
      sub: tenantId,
      cid: caller.tenantId,
      scp: session.scopes,
      aud: 'exchange',
      iat: Math.floor(session.createdAt.getTime() / 1_000),
      exp: Math.floor(session.expiresAt.getTime() / 1_000),
    })
    return {
      id: session.id,
      token,
      url: `${deps.portal.portalUrl}/portal/${token}`,
      expiresAt: session.expiresAt.toISOString(),
      returnURL: session.returnUrl,
      scopes: session.scopes,
    }
  }
}

/**
 * The sub-account's row stays locked against a change of its status until the session is written,
 * so that a deactivation ends this one as well.
 */
async function requireActive(
  transaction: Transaction,
  parentId: string,
  id: string,
): Promise<void> {
  const [found] = await transaction.$queryRaw<{ status: string }[]>`
    SELECT status FROM tenants WHERE id = ${id}::uuid AND parent_id = ${parentId}::uuid FOR SHARE`
  if (found === undefined) throw notFound('sub-account')
  if (found.status === 'active') return
  throw new ApiError('INVALID_STATE', 'the sub-account is deactivated: nobody gets into its portal')
}

async function defaultReturnUrl(transaction: Transaction, tenantId: string): Promise<string> {
  const settings = await transaction.subAccountSettings.findUnique({ where: { tenantId } })
  const returnUrl = settings?.defaultReturnUrl ?? null
  if (returnUrl !== null) return returnUrl
  const message =
    'there is no return URL: send returnURL, or set defaultReturnUrl at /api/v1/sub-account-settings'
  throw new ApiError('MISSING_RETURN_URL', message)
}

async function requireRoom(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  const where = { tenantId, revokedAt: null, maxExpiresAt: { gt: now } }
  const count = await transaction.subAccountSession.count({ where, take: MAX_SESSIONS + 1 })
  if (count <= MAX_SESSIONS) return
  const message = `the sub-account has ${MAX_SESSIONS} sessions that are not over: revoke some`
  throw new ApiError('INVALID_STATE', message)
}

interface SessionMaterial {
  caller: Caller
  tenantId: string
  body: MintSubAccountSession
  returnUrl: string
  now: number
}

function newSession({ caller, tenantId, body, returnUrl, now }: SessionMaterial): NewSession {
  const seconds = body.expiresIn ?? body.ttlSeconds ?? DEFAULT_SESSION_SECONDS
  return {
    tenantId,
    id: newId(),
    scopes: [...new Set(body.scopes ?? PORTAL_CAPABILITIES)],
    returnUrl,
    createdBy: actorOf(caller),
    createdAt: new Date(now),
    expiresAt: new Date(now + seconds * 1_000),
    maxExpiresAt: new Date(now + MAX_LIFE_MS),
  }
}
