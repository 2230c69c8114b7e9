/** Ends a pending login by a code of an authenticator app, or by a recovery code. */
import type { Handlers } from '@posthorn/http/handlers'
import type { Seal } from '@posthorn/store/seal'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { EndPendingLogin } from './end-pending-login.ts'
import { takeRecoveryCode, takeTotpCode } from './factors.ts'

export interface VerifyMfaDeps {
  endPendingLogin: EndPendingLogin
  seal: Pick<Seal, 'open'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createVerifyMfa({
  endPendingLogin,
  seal,
  now,
}: VerifyMfaDeps): Handlers<'portal-api'>['verifyMfa'] {
  return async (request) => {
    const { code, recoveryCode = '' } = request.body
    if (code !== undefined) {
      return await endPendingLogin(request, 'totp', (transaction, user) =>
        takeTotpCode(transaction, seal, user, code, now()),
      )
    }
    return await endPendingLogin(request, 'recovery', async (transaction, { id, email }) => {
      if (!(await takeRecoveryCode(transaction, id, recoveryCode))) return false
      const data = { change: 'recovery_code_used' }
      await enqueueMail(transaction, { to: email, tenantId: null, kind: 'mfa_changed', data })
      return true
    })
  }
}
