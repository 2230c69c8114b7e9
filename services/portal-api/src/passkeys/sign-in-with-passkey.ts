/**
 * Signs in with a passkey. It is two factors in one, the device and what unlocks it, so neither a
 * password nor a code is asked for; and it ends a login that waits for its second factor. A
 * challenge is a one-time token: a signature counts once.
 */
import type { PasskeyAssertion } from '@posthorn/contracts/passkeys'
import { ApiError } from '@posthorn/contracts/errors'
import { type Handlers, reply } from '@posthorn/http/handlers'
import type { RateLimitDeps } from '@posthorn/http/rate-limit'
import type { Database, Transaction } from '@posthorn/store/prisma'
import { finishLogin, type LoginContext } from '../auth/finish-login.ts'
import { machineKey } from '../auth/lockout.ts'
import { mfaCookieName } from '../auth/mfa-login.ts'
import { issueToken, takeToken } from '../auth/one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf } from '../auth/start-session.ts'
import { type EndPendingLogin, readPendingLogin } from '../mfa/end-pending-login.ts'
import { CHALLENGE_MS, requestOptions, userHandleOf } from './passkey-options.ts'
import { challengeOf, type RelyingParty, verifyAssertion } from './verify-passkey.ts'
import type { SsoRequiredFor } from '../sso/sso-required.ts'

export interface PasskeyLoginDeps extends LoginContext {
  database: Database
  party: RelyingParty
  endPendingLogin: EndPendingLogin
  /** Limits the challenges that strangers can have made. */
  takeToken: RateLimitDeps['takeToken']
  ssoRequiredFor: SsoRequiredFor
}

/** Challenges that one machine, or one network of an office, may have a second. */
const CHALLENGES_PER_SECOND = 20

type LoginHandlers = Pick<
  Handlers<'portal-api'>,
  'passkeyLoginOptions' | 'passkeyLogin' | 'mfaPasskeyOptions' | 'mfaPasskeyVerify'
>

export function createPasskeyLogin(
  { brand }: { brand: string },
  deps: PasskeyLoginDeps,
): LoginHandlers {
  const { database, party, endPendingLogin, now } = deps

  async function newChallenge(userId: string | undefined, clientIp: string): Promise<string> {
    const key = `passkey:${machineKey(clientIp)}`
    const { allowed } = await deps.takeToken(key, CHALLENGES_PER_SECOND)
    if (!allowed) {
      throw new ApiError('RATE_LIMITED', 'too many sign-ins were begun', { retryAfterSeconds: 1 })
    }
    const whose = userId === undefined ? {} : { userId }
    const token = { purpose: 'passkey_login', lifetimeMs: CHALLENGE_MS, ...whose } as const
    return await issueToken(database, token, now())
  }

  return {
    async passkeyLoginOptions({ clientIp }) {
      const challenge = await newChallenge(undefined, clientIp)
      return requestOptions(party, challenge, 'required', [])
    },

    passkeyLogin: createPasskeySignIn(deps),

    async mfaPasskeyOptions(request) {
      const pending = await readPendingLogin(database, request.cookie(mfaCookieName(brand)))
      if (pending === null) {
        throw new ApiError('INVALID_STATE', 'no login waits for a second factor: sign in again')
      }
      const { userId } = pending
      const allowed = await database.passkey.findMany({ where: { userId } })
      if (allowed.length === 0) throw new ApiError('INVALID_STATE', 'you have no passkey')
      const challenge = await newChallenge(userId, request.clientIp)
      return requestOptions(party, challenge, 'preferred', allowed)
    },

    async mfaPasskeyVerify(request) {
      const { response } = request.body
      return await endPendingLogin(request, 'passkey', async (transaction, user) => {
        const used = await usePasskey(transaction, party, response, { isSecondFactor: true })
        return used?.userId === user.id && used.challengeUserId === user.id
      })
    },
  }
}

function createPasskeySignIn(deps: PasskeyLoginDeps): LoginHandlers['passkeyLogin'] {
  const { database, party } = deps
  return async (request) => {
    const { response } = request.body
    const origin = originOf(request)
    const finished = await database.$transaction(async (transaction) => {
      const used = await usePasskey(transaction, party, response, { isSecondFactor: false })
      if (used === null || used.challengeUserId !== null) return null
      const { userId } = used
      const user = await transaction.user.findUniqueOrThrow({ where: { id: userId } })
      if (await deps.ssoRequiredFor(user.email, transaction)) {
        const message = 'your company signs in by its own identity provider'
        throw new ApiError('SSO_REQUIRED', message)
      }
      const login = { userId, event: 'passkey.login.success', origin } as const
      return await finishLogin(transaction, login, deps)
    })
    if (finished !== null) return reply(finished.answer, { cookies: [finished.cookie] })
    const nobody = { tenantId: null, userId: null, subject: null }
    await recordAuthEvent(database, { event: 'passkey.login.fail', ...nobody, ...origin })
    const message = 'the passkey is unknown, or the sign-in took too long: begin again'
    throw new ApiError('UNAUTHORIZED', message)
  }
}

interface UsedPasskey {
  userId: string
  /** Whom the challenge was made for; null: for whoever has a passkey. */
  challengeUserId: string | null
}

/** @returns null: refused. The challenge is used up all the same, unless the caller rolls back. */
async function usePasskey(
  transaction: Transaction,
  party: RelyingParty,
  response: PasskeyAssertion,
  { isSecondFactor }: { isSecondFactor: boolean },
): Promise<UsedPasskey | null> {
  const challenge = challengeOf(response.response) ?? ''
  const taken = await takeToken(transaction, 'passkey_login', challenge)
  if (taken === null) return null
  const credentialId = new Uint8Array(Buffer.from(response.id, 'base64url'))
  const row = await transaction.passkey.findUnique({ where: { credentialId } })
  if (row === null) return null
  const { userHandle } = response.response
  if (userHandle && userHandle !== userHandleOf(row.userId)) return null
  const known = {
    credentialId: response.id,
    publicKey: row.publicKey,
    counter: Number(row.counter),
  }
  const counter = await verifyAssertion(party, challenge, response, known, {
    requireUserVerification: !isSecondFactor,
  })
  if (counter === null) return null
  // An authenticator that counts has counted on since the last use, also one at the same time.
  const counted = await transaction.$executeRaw`
    UPDATE passkeys SET counter = ${counter}::bigint, last_used_at = now()
    WHERE credential_id = ${credentialId} AND (counter < ${counter}::bigint OR counter = 0)`
  return counted === 0 ? null : { userId: row.userId, challengeUserId: taken.userId }
}
