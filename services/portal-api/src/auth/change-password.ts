/** Changes one's own password and name. */
import { ApiError } from '@posthorn/contracts/errors'
import { badField } from '@posthorn/http/errors'
import type { Handlers, SessionCaller, SessionUser } from '@posthorn/http/handlers'
import { changesOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import type { Database } from '@posthorn/store/prisma'
import type { AnnounceChange } from '../config-changes.ts'
import { toUser } from './accounts.ts'
import type { Lockout } from './lockout.ts'
import { passwordProblem } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { setPassword } from './set-password.ts'
import { originOf } from './start-session.ts'

export interface ChangePasswordDeps {
  database: Database
  passwords: Passwords
  lockout: Lockout
  announceChange: AnnounceChange
}

/** For routes about a person: a session that was made from an API key has none. */
export function requireUser({ user }: Pick<SessionCaller, 'user'>): SessionUser {
  if (user !== null) return user
  const message = 'this session was made from an API key and belongs to no person'
  throw new ApiError('FORBIDDEN', message)
}

type PersonalHandlers = Pick<Handlers<'portal-api'>, 'changePassword' | 'updateMe'>

export function createChangePassword(deps: ChangePasswordDeps): PersonalHandlers {
  const { database, passwords, lockout, announceChange } = deps
  return {
    async changePassword(request) {
      const { caller, body } = request
      const { id, email } = requireUser(caller)
      await lockout.guess(email, request.clientIp)
      const user = await database.user.findUniqueOrThrow({ where: { id } })
      if (user.passwordHash === null) {
        const message = 'you have no password: set one with the mail of "forgot password"'
        throw new ApiError('INVALID_STATE', message)
      }
      const { matches } = await passwords.verify(user.passwordHash, body.currentPassword)
      if (!matches) {
        const who = { tenantId: caller.tenantId, userId: id, subject: email }
        const failed = { event: 'password.change.fail', ...who, ...originOf(request) } as const
        await recordAuthEvent(database, failed)
        throw wrongPassword()
      }
      await lockout.succeed(email, request.clientIp)
      const tenants = await database.membership.findMany({ where: { userId: id } })
      const names = await database.tenant.findMany({
        where: { id: { in: tenants.map(({ tenantId }) => tenantId) } },
        select: { name: true },
      })
      const owner = { email, names: [user.name ?? '', ...names.map(({ name }) => name)] }
      const problem = passwordProblem(body.newPassword, owner)
      if (problem !== null) throw badField('newPassword', problem)
      const newHash = await passwords.hash(body.newPassword)
      const ended = await database.$transaction((transaction) =>
        setPassword(transaction, {
          user,
          tenantId: caller.tenantId,
          newHash,
          event: 'password.change.success',
          origin: originOf(request),
          exceptId: caller.sessionId,
        }),
      )
      if (ended === null) throw wrongPassword()
      for (const tenantId of ended) announceChange(tenantId, 'sessions')
      return {}
    },

    async updateMe({ caller, body, audit }) {
      const { id } = requireUser(caller)
      const user = await database.$transaction(async (transaction) => {
        const before = await transaction.user.findUniqueOrThrow({ where: { id } })
        const after = await transaction.user.update({ where: { id }, data: { name: body.name } })
        const changes = changesOf({ name: before.name }, { name: after.name })
        await recordAudit(transaction, audit, { resourceId: id, changes })
        return after
      })
      const memberships = await database.membership.findMany({ where: { userId: id } })
      for (const { tenantId } of memberships) announceChange(tenantId, 'sessions')
      return toUser(user)
    },
  }
}

/** Also for whoever confirms something by a password. */
export function wrongPassword(): ApiError {
  return new ApiError('UNAUTHORIZED', 'the current password is wrong')
}
