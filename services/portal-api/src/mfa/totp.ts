/**
 * Time-based one-time passwords (RFC 6238): six digits, SHA-1, steps of 30 seconds, which is what
 * authenticator apps take for granted. The code of the step before is taken too, because people
 * need seconds to type one. A code is identified by its step: whoever stores the last step that was
 * taken refuses a second use.
 */
import { generateSecret, generateURI, verifySync } from 'otplib'

const STEP_SECONDS = 30
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20

/** @returns the secret in base32, as people type it into an app */
export function newTotpSecret(): string {
  return generateSecret({ length: SECRET_BYTES })
}

/** What the QR code of the page holds. */
export function otpauthUrl(issuer: string, email: string, secret: string): string {
  return generateURI({ issuer, label: email, secret })
}

/**
 * The step that the code is of; null: the code is neither that of now nor that of the step before.
 */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1_000),
    epochTolerance: [STEP_SECONDS, 0],
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
