/**
 * Makes a member of whoever holds the link of an invitation, and signs them in. The link came by
 * mail, so it proves the address: a new person needs no further verification, and an account whose
 * address was never proved is taken over by whoever has proved it now, since it may have been made
 * by a stranger. A proved account joins only by its own password or session.
 */
import type { LoggedIn } from '@posthorn/contracts/auth'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, hasSecretTokenForm } from '@posthorn/domain/secret-token'
import { badField } from '@posthorn/http/errors'
import { type ApiRequest, type Handlers, reply } from '@posthorn/http/handlers'
import type { BodyOf } from '@posthorn/contracts/routes'
import { type Database, isDuplicate, type Transaction } from '@posthorn/store/prisma'
import { finishLogin, type LoginContext } from '../auth/finish-login.ts'
import type { Lockout } from '../auth/lockout.ts'
import { MFA_LOGIN_MS, mfaCookie } from '../auth/mfa-login.ts'
import { issueToken } from '../auth/one-time-tokens.ts'
import { passwordProblem } from '../auth/password-rules.ts'
import type { Passwords } from '../auth/passwords.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from '../auth/start-session.ts'
import type { AnnounceChange } from '../config-changes.ts'
import type { SsoRequiredFor } from '../sso/sso-required.ts'
import { claimUser } from './claim-user.ts'
import {
  findInvitation,
  findInvitedUser,
  type HeldInvitation,
  invalidInvitation,
  type InvitedUser,
  takeInvitation,
} from './invitations.ts'

export interface AcceptInviteDeps extends LoginContext {
  database: Database
  passwords: Passwords
  lockout: Lockout
  announceChange: AnnounceChange
  ssoRequiredFor: SsoRequiredFor
}

type AcceptRequest = ApiRequest<BodyOf<'acceptInvite'>, undefined, null>

/** How an acceptance ended. */
interface Accepted {
  answer: LoggedIn | { mfaRequired: true }
  cookie: string
}

export function createAcceptInvite(
  { brand }: { brand: string },
  deps: AcceptInviteDeps,
): Handlers<'portal-api'>['acceptInvite'] {
  const acceptAsNew = createAcceptAsNew(deps)
  const acceptAsKnown = createAcceptAsKnown(brand, deps)
  return async (request) => {
    const invitation = await findInvitation(deps.database, request.body.token)
    if (invitation?.status !== 'pending') throw invalidInvitation()
    const user = await findInvitedUser(deps.database, invitation.email)
    const { answer, cookie } =
      user?.isVerified === true
        ? await acceptAsKnown(request, invitation, user)
        : await acceptAsNew(request, invitation, user)
    deps.announceChange(invitation.tenantId, 'sessions')
    return reply(answer, { cookies: [cookie] })
  }
}

function createAcceptAsNew(deps: AcceptInviteDeps) {
  const { database, passwords, announceChange } = deps
  return async (
    request: AcceptRequest,
    { tenantId, clientName, email }: HeldInvitation,
    unproved: InvitedUser | null,
  ): Promise<Accepted> => {
    const { name, password, token } = request.body
    if (name === undefined) throw badField('name', 'is needed for a new account')
    if (password === undefined) throw badField('password', 'is needed for a new account')
    const problem = passwordProblem(password, { email, names: [name, clientName] })
    if (problem !== null) throw badField('password', problem)
    const passwordHash = await passwords.hash(password)
    const userId = unproved?.id ?? newId()
    const { ended, ...accepted } = await database
      .$transaction(async (transaction) => {
        await refuseWhereSso(deps, transaction, email)
        const role = await takeInvitation(transaction, token)
        if (role === null) throw invalidInvitation()
        const person = { id: userId, email, name, passwordHash }
        const freed =
          unproved === null
            ? await createUser(transaction, person)
            : await claimUser(transaction, person)
        await addMember(transaction, { tenantId, userId, role })
        return { ...(await signIn(transaction, tenantId, userId, originOf(request))), ended: freed }
      })
      .catch((error: unknown) => {
        if (!isDuplicate(error)) throw error
        throw new ApiError('CONFLICT', 'the address has just got an account: open the link again')
      })
    for (const endedTenant of ended) announceChange(endedTenant, 'sessions')
    return accepted
  }

  async function signIn(
    transaction: Transaction,
    tenantId: string,
    userId: string,
    origin: Origin,
  ): Promise<Accepted> {
    const event = 'invite.accept.success'
    return await finishLogin(transaction, { userId, tenantId, event, origin }, deps)
  }
}

/** @returns the tenants whose sessions ended: none */
async function createUser(
  transaction: Transaction,
  person: { id: string; email: string; name: string; passwordHash: string },
): Promise<string[]> {
  await transaction.user.create({ data: { ...person, emailVerifiedAt: new Date() } })
  return []
}

function createAcceptAsKnown(brand: string, deps: AcceptInviteDeps) {
  const { database, passwords, lockout, sessionCookie, now } = deps

  /** By the session that the browser has, or by the password. */
  async function isOwner(
    request: AcceptRequest,
    tenantId: string,
    user: InvitedUser,
  ): Promise<'session' | 'password'> {
    const cookie = request.cookie(sessionCookie.name)
    if (cookie !== undefined && (await isSessionOf(database, cookie, user.id))) return 'session'
    const { password } = request.body
    if (password === undefined) throw notOwner()
    await lockout.guess(user.email, request.clientIp)
    const { matches } = await passwords.verify(user.passwordHash, password)
    if (matches) return 'password'
    const who = { tenantId, userId: user.id, subject: user.email, ...originOf(request) }
    await recordAuthEvent(database, { event: 'password.login.fail', ...who })
    throw notOwner()
  }

  return async (
    request: AcceptRequest,
    { tenantId }: HeldInvitation,
    user: InvitedUser,
  ): Promise<Accepted> => {
    const by = await isOwner(request, tenantId, user)
    const userId = user.id
    const isPending = by === 'password' && user.mfaEnabled
    const accepted = await database.$transaction(async (transaction): Promise<Accepted> => {
      if (by === 'password') {
        await confirmPassword(transaction, user)
        await refuseWhereSso(deps, transaction, user.email)
      }
      const role = await takeInvitation(transaction, request.body.token)
      if (role === null) throw invalidInvitation()
      await addMember(transaction, { tenantId, userId, role })
      const origin = originOf(request)
      const event = 'invite.accept.success'
      if (!isPending) {
        return await finishLogin(transaction, { userId, tenantId, event, origin }, deps)
      }
      const who = { tenantId, userId, subject: user.email, ...origin }
      await recordAuthEvent(transaction, { event, ...who })
      const pending = { purpose: 'mfa_login', userId, tenantId, lifetimeMs: MFA_LOGIN_MS } as const
      const token = await issueToken(transaction, pending, now())
      return { answer: { mfaRequired: true }, cookie: mfaCookie(brand, sessionCookie, token) }
    })
    // With a second factor the guesses at it count too.
    if (by === 'password' && !isPending) await lockout.succeed(user.email, request.clientIp)
    return accepted
  }
}

/** A reset that came after the check has ended all sessions: none is added behind it. */
async function confirmPassword(
  transaction: Pick<Transaction, '$queryRaw'>,
  { id, passwordHash }: InvitedUser,
): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id}::uuid AND password_hash = ${passwordHash} FOR UPDATE`
  if (rows.length === 0) throw notOwner()
}

async function isSessionOf(
  database: Pick<Database, '$queryRaw'>,
  token: string,
  userId: string,
): Promise<boolean> {
  if (!hasSecretTokenForm(token)) return false
  const rows = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM user_sessions WHERE token_hash = ${hashSecretToken(token)}
      AND user_id = ${userId}::uuid AND expires_at > now()`
  return rows.length > 0
}

/** Who became a member by another way meanwhile keeps the role of that. */
async function addMember(
  transaction: Transaction,
  { tenantId, userId, role }: { tenantId: string; userId: string; role: string },
): Promise<void> {
  await transaction.membership.createMany({
    data: [{ tenantId, userId, role, source: 'invite' }],
    skipDuplicates: true,
  })
}

async function refuseWhereSso(
  { ssoRequiredFor }: Pick<AcceptInviteDeps, 'ssoRequiredFor'>,
  transaction: Transaction,
  email: string,
): Promise<void> {
  if (!(await ssoRequiredFor(email, transaction))) return
  const message = 'your company signs in by its own identity provider: sign in there first'
  throw new ApiError('SSO_REQUIRED', message)
}

function notOwner(): ApiError {
  const message = 'the address has an account: give its password, or sign in to it first'
  return new ApiError('UNAUTHORIZED', message)
}
