/** Bodies and answers of the routes by which people sign up, sign in and see their sessions. */
import { PLAN_NAMES } from '@posthorn/domain/plans'
import { ROLES } from '@posthorn/domain/roles'
import { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import { textOf } from './fields.ts'

/**
 * Anything longer is refused before work is spent on it. One of the 128 characters of a password
 * has two UTF-16 units at most and, where its accents are written apart, up to three times as many
 * more.
 */
const MAX_PASSWORD_UNITS = 1_024
export const Password = z.string().min(1).max(MAX_PASSWORD_UNITS)

/** Names go into mails and pages: no line breaks or other control characters. */
export function nameOf(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^(?=.*\S)[^\p{Cc}\p{Cs}]*$/u, 'must be a name')
    .meta({ override: { type: 'string', minLength: 1, maxLength: max } })
}

const MAX_NAME_CHARACTERS = 100
export const PersonName = nameOf(MAX_NAME_CHARACTERS)
export const CompanyName = nameOf(MAX_NAME_CHARACTERS)

/** As a link in a mail carries it. */
const MAX_TOKEN_CHARACTERS = 255
export const LinkToken = textOf(1, MAX_TOKEN_CHARACTERS)

export const RoleName = z.enum(ROLES)

export const AuthUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  emailVerified: z.boolean(),
  mfaEnabled: z.boolean().describe('a second factor is asked for after the password'),
})
export type AuthUser = z.infer<typeof AuthUser>

export const AuthClient = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(PLAN_NAMES),
  onboardingComplete: z.boolean(),
  createdAt: z.string(),
})
export type AuthClient = z.infer<typeof AuthClient>

export const SignUp = z.strictObject({
  email: EmailAddress,
  password: Password.describe('10 to 128 characters'),
  companyName: CompanyName,
  name: PersonName.optional(),
})
export const SignedUp = z.object({ email: z.string(), verificationSent: z.literal(true) })

export const LogIn = z.strictObject({ email: EmailAddress, password: Password })
export const LoggedIn = z.object({ user: AuthUser, client: AuthClient, role: RoleName })
export type LoggedIn = z.infer<typeof LoggedIn>
/** The password was right; `POST /auth/mfa/verify` goes on. */
export const SecondFactorWanted = z.object({ mfaRequired: z.literal(true) })
export const LoginAnswer = z.union([LoggedIn, SecondFactorWanted])

export const VerifyEmail = z.strictObject({ token: LinkToken })
export const EmailVerified = z.object({ email: z.string(), emailVerified: z.literal(true) })
export const EmailOnly = z.strictObject({ email: EmailAddress })
/** The same whether or not anybody has the address. */
export const Nothing = z.strictObject({})
export const ResetPassword = z.strictObject({ token: LinkToken, newPassword: Password })
export const ChangePassword = z.strictObject({ currentPassword: Password, newPassword: Password })
export const UpdateMe = z.strictObject({ name: PersonName })

const MAX_KEY_CHARACTERS = 255
export const SessionFromKey = z.strictObject({
  apiKey: z
    .string()
    .min(1)
    .max(MAX_KEY_CHARACTERS)
    .optional()
    .describe('without it, the header X-API-Key'),
})
export const SessionFromLink = z.strictObject({ token: LinkToken })
export const SwitchSession = z.strictObject({ clientId: z.uuid() })

const Membership = z.object({ id: z.string(), name: z.string(), role: RoleName.nullable() })
export const Session = z.object({
  user: AuthUser.nullable().describe('null: made from an API key'),
  client: AuthClient,
  role: RoleName.nullable().describe('null: made from an API key without the scope `*`'),
  scopes: z.array(z.string()),
  expiresAt: z.string().describe('unless the session is used before'),
  clients: z.array(Membership).describe("the person's workspaces"),
})
export type Session = z.infer<typeof Session>

export const SessionRecord = z.object({
  id: z.string(),
  client: z.object({ id: z.string(), name: z.string() }),
  current: z.boolean().describe('the one of this request'),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
})
export type SessionRecord = z.infer<typeof SessionRecord>
export const SessionList = z.object({ data: z.array(SessionRecord) })

export const CompleteOnboarding = z.strictObject({ companyName: CompanyName.optional() })

export const Me = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(PLAN_NAMES),
  createdAt: z.string(),
  onboardingComplete: z.boolean(),
  user: AuthUser.nullable().describe('null: an API key'),
  role: RoleName.nullable().describe('null: an API key'),
  scopes: z.array(z.string()),
})
