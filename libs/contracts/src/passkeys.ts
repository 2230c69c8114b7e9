/**
 * Bodies and answers of the passkey routes. Options and responses have the JSON form of the Web
 * Authentication standard: a page gives options to `parseCreationOptionsFromJSON` or
 * `parseRequestOptionsFromJSON` of `PublicKeyCredential`, and sends what `toJSON()` of the
 * credential returns.
 */
import { z } from 'zod'

/** A credential id has at most 1,023 bytes: 1,364 characters. */
const MAX_ID_CHARACTERS = 1_364
/** Challenge, origin and type, and what a browser adds. */
const MAX_CLIENT_DATA_CHARACTERS = 4 * 1024
/** Some 300 bytes, and up to 1 KiB with a long id; certificates are not taken. */
const MAX_ATTESTATION_CHARACTERS = 8 * 1024
const MAX_SIGNATURE_CHARACTERS = 8 * 1024
const MAX_TRANSPORTS = 10

function base64url(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding')
}

const CredentialId = base64url(MAX_ID_CHARACTERS)
const ClientData = base64url(MAX_CLIENT_DATA_CHARACTERS)
const Transports = z.array(z.string().regex(/^[a-z-]{1,32}$/)).max(MAX_TRANSPORTS)

export const PasskeyAttestation = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: ClientData,
      attestationObject: base64url(MAX_ATTESTATION_CHARACTERS),
      transports: Transports.optional(),
    }),
  })
  .describe('a RegistrationResponseJSON; further members are ignored')
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>

export const PasskeyAssertion = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: ClientData,
      authenticatorData: base64url(MAX_SIGNATURE_CHARACTERS),
      signature: base64url(MAX_SIGNATURE_CHARACTERS),
      userHandle: base64url(128).nullish(),
    }),
  })
  .describe('an AuthenticationResponseJSON; further members are ignored')
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

export const RegisterPasskey = z.strictObject({
  name: z.string().min(1).max(100),
  response: PasskeyAttestation,
})
export const AssertPasskey = z.strictObject({ response: PasskeyAssertion })

const CredentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})

export const PasskeyCreationOptions = z.object({
  challenge: z.string().describe('taken once, within 5 minutes'),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: z.literal('public-key') })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(CredentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>

export const PasskeyRequestOptions = z.object({
  challenge: z.string().describe('taken once, within 5 minutes'),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.array(CredentialDescriptor).describe('empty: any passkey of this site'),
})
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

export const Passkey = z.object({
  id: z.string().describe("the credential's id in base64url"),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type Passkey = z.infer<typeof Passkey>
export const PasskeyList = z.object({ data: z.array(Passkey) })
