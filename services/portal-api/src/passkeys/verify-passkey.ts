/**
 * Checks what an authenticator signed, as the Web Authentication standard says: type, challenge,
 * origin, relying party, user verification, signature, counter. Everything that it is given comes
 * from a stranger, so whatever is wrong with it has one answer: null.
 *
 * Attestation is asked for with `none`, and anything that carries certificates is refused before it
 * reaches the library: to check a certificate, the library would fetch the revocation list whose
 * address stands in it, from inside our network and past the egress guard.
 */
import type { PasskeyAssertion, PasskeyAttestation } from '@posthorn/contracts/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'

export interface RelyingParty {
  /** The host of `PUBLIC_URL`: passkeys are bound to it. */
  id: string
  origin: string
  name: string
}

/** EdDSA, ES256 and RS256: what authenticators have. */
export const ALGORITHMS = [-8, -7, -257]
/** An RSA key of 4,096 bits has some 540 bytes. */
const MAX_PUBLIC_KEY_BYTES = 2_048

export function relyingPartyOf(publicUrl: string, brand: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin, name: brand }
}

/** The challenge that the authenticator signed; null: the client data is no such thing. */
export function challengeOf({ clientDataJSON }: { clientDataJSON: string }): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const challenge = (data as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

export interface NewPasskey {
  credentialId: string
  publicKey: Uint8Array
  counter: number
}

export async function verifyAttestation(
  party: RelyingParty,
  challenge: string,
  response: PasskeyAttestation,
): Promise<NewPasskey | null> {
  try {
    if (hasCertificates(response.response.attestationObject)) return null
    const result = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    })
    if (!result.verified) return null
    const { id, publicKey, counter } = result.registrationInfo.credential
    if (id !== response.id || publicKey.length > MAX_PUBLIC_KEY_BYTES) return null
    return { credentialId: id, publicKey, counter }
  } catch {
    return null
  }
}

/** A browser leaves `none`, or `packed` where the key signs for itself. */
function hasCertificates(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  if (format === 'none') return false
  return format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined
}

/** @returns the counter to store; null: refused */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  response: PasskeyAssertion,
  passkey: NewPasskey,
  options: { requireUserVerification: boolean },
): Promise<number | null> {
  try {
    const { userHandle, ...signed } = response.response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, response: signed, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
      ...options,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
