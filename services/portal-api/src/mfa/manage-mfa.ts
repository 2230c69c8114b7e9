/**
 * Turns a person's second factor on and off. A secret counts only once a code of it was given, so
 * that nobody is locked out by an app that was set up wrongly. Wrong codes and passwords count into
 * the lockout as those of a login do; right ones take back their own guess alone, because whoever
 * has stolen a session must not get new guesses by them.
 */
import type { AuthEventName } from '@posthorn/contracts/audit'
import { ApiError } from '@posthorn/contracts/errors'
import { badField } from '@posthorn/http/errors'
import type { Handlers, SessionCaller } from '@posthorn/http/handlers'
import type { User } from '@posthorn/store/generated/client'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { requireUser, wrongPassword } from '../auth/change-password.ts'
import type { Lockout } from '../auth/lockout.ts'
import type { Passwords } from '../auth/passwords.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from '../auth/start-session.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { clearFactors, takeTotpCode, totpPlace, writeRecoveryCodes } from './factors.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, otpauthUrl, totpStep } from './totp.ts'

export interface ManageMfaDeps {
  database: Database
  seal: Seal
  passwords: Passwords
  lockout: Lockout
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type MfaHandlers = Pick<
  Handlers<'portal-api'>,
  'enrollMfa' | 'activateMfa' | 'renewRecoveryCodes' | 'disableMfa'
>

export function createManageMfa(config: { brand: string }, deps: ManageMfaDeps): MfaHandlers {
  return {
    enrollMfa: createEnroll(config, deps),
    activateMfa: createActivate(deps),
    renewRecoveryCodes: createRenew(deps),
    disableMfa: createDisable(deps),
  }
}

function createEnroll(
  { brand }: { brand: string },
  { database, seal }: ManageMfaDeps,
): MfaHandlers['enrollMfa'] {
  return async ({ caller }) => {
    const { id, email } = requireUser(caller)
    const secret = newTotpSecret()
    const { count } = await database.user.updateMany({
      where: { id, totpActivatedAt: null },
      data: { totpSecret: seal.seal(secret, totpPlace(id)), totpLastStep: null },
    })
    if (count === 0) throw isOn()
    return { secret, otpauthUrl: otpauthUrl(brand, email, secret) }
  }
}

function createActivate(deps: ManageMfaDeps): MfaHandlers['activateMfa'] {
  const { database, seal, lockout, announceChange, now } = deps
  return async (request) => {
    const { caller, body } = request
    const { id, email } = requireUser(caller)
    const { totpSecret, totpActivatedAt } = await database.user.findUniqueOrThrow({ where: { id } })
    if (totpActivatedAt !== null) throw isOn()
    if (totpSecret === null) throw new ApiError('INVALID_STATE', 'enroll first')
    await lockout.guess(email, request.clientIp)
    const step = totpStep(seal.open(totpSecret, totpPlace(id)), body.code, now())
    if (step === null) throw await refused(deps, request, 'mfa.enroll.fail', wrongCode())
    const recoveryCodes = newRecoveryCodes()
    await database.$transaction(async (transaction) => {
      const activated = await transaction.$executeRaw`
        UPDATE users SET totp_activated_at = now(), mfa_enabled = true,
          totp_last_step = ${step}::bigint, updated_at = now()
        WHERE id = ${id}::uuid AND totp_activated_at IS NULL AND totp_secret = ${totpSecret}`
      if (activated === 0) throw new ApiError('INVALID_STATE', 'the secret has changed meanwhile')
      await writeRecoveryCodes(transaction, id, recoveryCodes)
      const what = { event: 'mfa.enroll.success', change: 'enabled' } as const
      await tell(transaction, { id, email }, what, caller.tenantId, originOf(request))
    })
    await lockout.withdraw(email, request.clientIp)
    announceChange(caller.tenantId, 'sessions')
    return { recoveryCodes }
  }
}

function createRenew({
  database,
  seal,
  lockout,
  now,
}: ManageMfaDeps): MfaHandlers['renewRecoveryCodes'] {
  return async (request) => {
    const { caller, body } = request
    const { id, email } = requireUser(caller)
    const user = await database.user.findUniqueOrThrow({ where: { id } })
    if (user.totpActivatedAt === null) throw isOff()
    await lockout.guess(email, request.clientIp)
    const recoveryCodes = newRecoveryCodes()
    const isRight = await database.$transaction(async (transaction) => {
      if (!(await takeTotpCode(transaction, seal, user, body.code, now()))) return false
      await writeRecoveryCodes(transaction, id, recoveryCodes)
      const what = { event: 'mfa.enroll.success', change: 'recovery_codes' } as const
      await tell(transaction, user, what, caller.tenantId, originOf(request))
      return true
    })
    if (!isRight) throw await refused({ database }, request, 'mfa.enroll.fail', wrongCode())
    await lockout.withdraw(email, request.clientIp)
    return { recoveryCodes }
  }
}

function createDisable(deps: ManageMfaDeps): MfaHandlers['disableMfa'] {
  const { database, seal, passwords, lockout, announceChange, now } = deps
  return async (request) => {
    const { caller, body } = request
    const { id, email } = requireUser(caller)
    const user = await database.user.findUniqueOrThrow({ where: { id } })
    if (user.totpActivatedAt === null) throw isOff()
    if (user.passwordHash !== null && body.password === undefined) {
      throw badField('password', 'is needed: a code is enough only for people without a password')
    }
    await lockout.guess(email, request.clientIp)
    if (body.password !== undefined) {
      const { matches } = await passwords.verify(user.passwordHash, body.password)
      if (!matches) throw await refused(deps, request, 'mfa.disable.fail', wrongPassword())
    }
    const isDone = await database.$transaction(async (transaction) => {
      const isRight =
        body.code === undefined || (await takeTotpCode(transaction, seal, user, body.code, now()))
      if (!isRight) return false
      if (!(await clearFactors(transaction, id))) throw isOff()
      const what = { event: 'mfa.disable.success', change: 'disabled' } as const
      await tell(transaction, user, what, caller.tenantId, originOf(request))
      return true
    })
    if (!isDone) throw await refused(deps, request, 'mfa.disable.fail', wrongCode())
    await lockout.withdraw(email, request.clientIp)
    announceChange(caller.tenantId, 'sessions')
    return undefined
  }
}

type Refused = Parameters<typeof originOf>[0] & { caller: SessionCaller }

/** Writes down a wrong code or password. @returns the error to throw */
async function refused(
  { database }: Pick<ManageMfaDeps, 'database'>,
  request: Refused,
  event: AuthEventName,
  error: ApiError,
): Promise<ApiError> {
  const { id: userId, email: subject } = requireUser(request.caller)
  const { tenantId } = request.caller
  await recordAuthEvent(database, { event, tenantId, userId, subject, ...originOf(request) })
  return error
}

/** Writes down what was changed, and tells the person. */
async function tell(
  transaction: Transaction,
  { id, email }: Pick<User, 'id' | 'email'>,
  { event, change }: { event: AuthEventName; change: string },
  tenantId: string,
  origin: Origin,
): Promise<void> {
  const metadata = { change }
  const who = { tenantId, userId: id, subject: email }
  await recordAuthEvent(transaction, { event, ...who, ...origin, metadata })
  await enqueueMail(transaction, { to: email, tenantId, kind: 'mfa_changed', data: { change } })
}

function wrongCode(): ApiError {
  return new ApiError('UNAUTHORIZED', 'the code is wrong, too old, or was used before')
}

function isOn(): ApiError {
  return new ApiError('INVALID_STATE', 'a second factor is asked for already; turn it off first')
}

function isOff(): ApiError {
  return new ApiError('INVALID_STATE', 'no second factor is asked for')
}
