/** Lets in by the token of a session, looked up by its SHA-256. */
import { ApiError } from '@posthorn/contracts/errors'
import type { PlanName } from '@posthorn/domain/plans'
import { type Role, scopesOf } from '@posthorn/domain/roles'
import { hasSecretTokenForm, secretTokenDigest } from '@posthorn/domain/secret-token'
import type { Authenticated } from './authenticated.ts'
import { type CallerTenant, placeOf, type ProjectHeader, withProject } from './caller-place.ts'
import type { CredentialLookups } from './credential-lookups.ts'
import type { Caller, SessionUser } from './handlers.ts'
import { type FoundKey, keyActor } from './key-credentials.ts'

/** A session that was not ended, and whose member or key is there; `expiresAt` may have passed. */
export interface FoundSession extends CallerTenant {
  sessionId: string
  /** Epoch ms. */
  expiresAt: number
  /** The session's person, with their role in the workspace. */
  member: { user: SessionUser; role: Role } | null
  /** The key that the session was made from. */
  key: Omit<FoundKey, keyof CallerTenant | 'rateLimit'> | null
  /** The workspace wants a second factor of each person. */
  requireMfa: boolean
}

export interface SessionCredentialsDeps {
  sessions: CredentialLookups<FoundSession>
  /** Lets a session end this much later; it may fail, and is then tried with the next request. */
  extendSession(digest: string, expiresAt: number): Promise<void>
  /** Epoch ms. */
  now(): number
}

const DAY_MS = 86_400_000
/** A session ends when it is not used for so long. */
export const SESSION_MS = 7 * DAY_MS
/** It is written at most once an hour that a session goes on. */
const EXTEND_AFTER_MS = DAY_MS / 24

export function createSessionCredentials(
  deps: SessionCredentialsDeps,
  defaultPlan: PlanName,
): (token: string, project: ProjectHeader) => Promise<Authenticated> {
  const { sessions, now } = deps
  const isOver = (expiresAt: number | null): boolean => expiresAt !== null && expiresAt <= now()

  function inForce(session: FoundSession | null): FoundSession {
    const isEnded =
      session === null ||
      isOver(session.expiresAt) ||
      (session.key !== null && (session.key.revoked || isOver(session.key.expiresAt)))
    if (isEnded) throw new ApiError('UNAUTHORIZED', 'the session has ended: sign in again')
    return session
  }

  /** A session that is used goes on. */
  function extend(digest: string, session: FoundSession): number | null {
    const expiresAt = now() + SESSION_MS
    if (expiresAt - session.expiresAt < EXTEND_AFTER_MS) return null
    session.expiresAt = expiresAt
    void deps.extendSession(digest, expiresAt).catch(() => undefined)
    return expiresAt
  }

  return async (token, project) => {
    const digest = secretTokenDigest(token)
    const found = inForce(
      hasSecretTokenForm(token) ? await sessions.find(digest, () => true) : null,
    )
    return {
      keyId: null,
      rateLimit: null,
      mustEnrol: found.requireMfa && found.member?.user.mfaEnabled === false,
      extendedUntil: extend(digest, found),
      async caller() {
        const session = await withProject(found, project, async () =>
          inForce(await sessions.findNow(digest)),
        )
        const { sessionId, expiresAt, key } = session
        const place = placeOf(session, key?.keyProjectId ?? null, project, defaultPlan)
        return { ...personOf(session), keyId: key?.keyId ?? null, sessionId, expiresAt, ...place }
      },
    }
  }
}

/** The session of a key with the scope `*` counts as an admin's. */
function personOf({
  member,
  key,
}: FoundSession): Pick<Caller, 'user' | 'role' | 'scopes' | 'actor'> {
  if (member !== null) {
    const { id, email } = member.user
    const actor = { type: 'user', id, name: email, userId: id } as const
    return { user: member.user, role: member.role, scopes: scopesOf(member.role), actor }
  }
  if (key === null) throw new Error('a session without a person is that of a key')
  const { scopes } = key
  return { user: null, role: scopes.includes('*') ? 'admin' : null, scopes, actor: keyActor(key) }
}
