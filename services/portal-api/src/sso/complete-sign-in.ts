/**
 * Ends a sign-in by OAuth, OIDC or SAML: gathers the facts, decides, and carries the outcome out in
 * the transaction that it is given. The provider's answer has been checked before.
 */
import { newId } from '@posthorn/domain/ids'
import { redirect, type Reply } from '@posthorn/http/handlers'
import type { Transaction } from '@posthorn/store/prisma'
import { evictStranger } from '../auth/evict-stranger.ts'
import { finishLogin } from '../auth/finish-login.ts'
import { MFA_LOGIN_MS, mfaCookie } from '../auth/mfa-login.ts'
import { issueToken } from '../auth/one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import type { Origin } from '../auth/start-session.ts'
import { type AdmittedSignIn, decideSignIn } from './decide-sign-in.ts'
import { type FactsConfig, gatherFacts } from './gather-facts.ts'
import type { SsoProfile } from './identity-provider.ts'
import { loginErrorPath } from './return-path.ts'
import type { SignInConnection, SsoConfig } from './sso-deps.ts'

export interface SsoSignIn {
  connection: SignInConnection
  profile: SsoProfile
  origin: Origin
  /** A path of our own: `returnPath` has made it. */
  returnTo: string
  /** `Set-Cookie` of the flow that ends, beside the session's. */
  cookies: readonly string[]
}

export interface CompletedSignIn {
  reply: Reply<never>
  /** Workspaces where sessions ended: each must be announced once the transaction is committed. */
  changedTenants: readonly string[]
}

type CompleteConfig = Pick<SsoConfig, 'brand' | 'sessionCookie'> & FactsConfig
export type CompleteSsoSignIn = (
  transaction: Transaction,
  signIn: SsoSignIn,
) => Promise<CompletedSignIn>

export function createCompleteSsoSignIn(
  config: CompleteConfig,
  { now }: { now: () => number },
): CompleteSsoSignIn {
  return async (transaction, signIn) => {
    const { connection, profile, origin } = signIn
    const facts = await gatherFacts(transaction, config, signIn)
    const outcome = decideSignIn(facts)
    const event = {
      ...origin,
      subject: profile.email ?? profile.subject,
      metadata: { connection: connection.key },
    }
    if (outcome.outcome === 'refused') {
      const { reason } = outcome
      await recordAuthEvent(transaction, {
        ...event,
        event: 'sso.login.fail',
        tenantId: connection.tenantId,
        userId: facts.user?.id ?? null,
        metadata: { ...event.metadata, reason },
      })
      const reply = redirect(loginErrorPath(reason), { cookies: [...signIn.cookies] })
      return { reply, changedTenants: [] }
    }
    const { userId, changedTenants } = await admit(transaction, signIn, outcome, now())
    const { tenantId } = outcome
    const done = { ...event, tenantId, userId }
    if (outcome.joinAs !== null) {
      await recordAuthEvent(transaction, { ...done, event: 'sso.login.jit' })
    }
    if (outcome.secondFactor) {
      const reply = await askSecondFactor(transaction, config, { signIn, tenantId, userId }, now())
      return { reply, changedTenants }
    }
    const { metadata } = event
    const login = { userId, tenantId, event: 'sso.login.success', metadata, origin } as const
    const { cookie } = await finishLogin(transaction, login, { ...config, now })
    const cookies = [...signIn.cookies, cookie]
    return { reply: redirect(signIn.returnTo, { cookies }), changedTenants }
  }
}

/** Writes down what has changed by the sign-in: the user, the identity, the membership. */
async function admit(
  transaction: Transaction,
  { connection, profile }: SsoSignIn,
  { tenantId, userId: known, link, evict, joinAs }: AdmittedSignIn,
  now: number,
): Promise<{ userId: string; changedTenants: readonly string[] }> {
  const at = new Date(now)
  const changedTenants = known !== null && evict ? await evictStranger(transaction, known) : []
  const userId = known ?? newId()
  if (known === null) {
    const { email, name } = profile
    await transaction.user.create({
      data: { id: userId, email: email as string, name, emailVerifiedAt: at },
    })
  } else if (evict) {
    await transaction.user.update({ where: { id: userId }, data: { emailVerifiedAt: at } })
  }
  const identity = {
    connection: connection.key,
    issuer: profile.issuer,
    subject: profile.subject,
  }
  if (link) {
    await transaction.ssoIdentity.create({ data: { ...identity, userId, lastLoginAt: at } })
  } else {
    await transaction.ssoIdentity.updateMany({ where: identity, data: { lastLoginAt: at } })
  }
  if (joinAs !== null) {
    await transaction.membership.create({
      data: { tenantId, userId, role: joinAs, source: 'sso' },
    })
  }
  return { userId, changedTenants }
}

/** The provider stands for the password; the user's own second factor is asked for as there. */
async function askSecondFactor(
  transaction: Transaction,
  { brand, sessionCookie }: CompleteConfig,
  of: { signIn: SsoSignIn; tenantId: string; userId: string },
  now: number,
): Promise<Reply<never>> {
  const { signIn, tenantId, userId } = of
  const token = await issueToken(
    transaction,
    { purpose: 'mfa_login', tenantId, userId, lifetimeMs: MFA_LOGIN_MS },
    now,
  )
  const cookie = mfaCookie(brand, sessionCookie, token)
  const query = new URLSearchParams({ mfa: 'required', return: signIn.returnTo })
  return redirect(`/login?${query.toString()}`, { cookies: [...signIn.cookies, cookie] })
}
