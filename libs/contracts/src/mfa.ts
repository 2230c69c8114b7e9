/** Bodies and answers of the routes of a second factor: codes by time, and recovery codes. */
import { z } from 'zod'
import { Password } from './auth.ts'

const MAX_RECOVERY_CODE_CHARACTERS = 40

const TotpCode = z.string().regex(/^\d{6}$/, 'must be the six digits that the app shows')

export const MfaCode = z.strictObject({ code: TotpCode })

const RecoveryCode = z.string().min(1).max(MAX_RECOVERY_CODE_CHARACTERS)

/** One of the two. */
export const VerifyMfa = z
  .strictObject({ code: TotpCode.optional(), recoveryCode: RecoveryCode.optional() })
  .refine(
    ({ code, recoveryCode }) => (code === undefined) !== (recoveryCode === undefined),
    'must have either code or recoveryCode',
  )

/** People who sign in by an identity provider have no password: they give a code. */
export const DisableMfa = z
  .strictObject({
    password: Password.optional(),
    code: TotpCode.optional(),
  })
  .refine(
    ({ password, code }) => (password === undefined) !== (code === undefined),
    'must have either password or code',
  )

export const MfaEnrolment = z.object({
  secret: z.string().describe('base32, to be typed into an authenticator app'),
  otpauthUrl: z.string().describe('the same as a QR code holds it'),
})

export const RecoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).describe('shown this once; each is taken once'),
})

export const SecuritySettings = z.object({
  requireMfa: z.boolean().describe('members without a second factor may only enrol one'),
})
export const UpdateSecurity = z.strictObject({ requireMfa: z.boolean() })
