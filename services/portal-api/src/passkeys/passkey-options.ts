/** The parts of Web Authentication's options that its ceremonies share. */
import type { PasskeyRequestOptions } from '@posthorn/contracts/passkeys'
import type { Passkey } from '@posthorn/store/generated/client'
import type { RelyingParty } from './verify-passkey.ts'

const MINUTE_MS = 60_000
/** For a person to find the key, the finger or the phone. */
export const CHALLENGE_MS = 5 * MINUTE_MS

/** What an authenticator keeps of the person: nothing that tells who they are. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

type Descriptor = PasskeyRequestOptions['allowCredentials'][number]

export function toDescriptor({
  credentialId,
  transports,
}: Pick<Passkey, 'credentialId' | 'transports'>): Descriptor {
  const id = Buffer.from(credentialId).toString('base64url')
  return { id, type: 'public-key', ...(transports.length === 0 ? {} : { transports }) }
}

/** @param allowed empty: any passkey of this site, which then tells whose it is */
export function requestOptions(
  party: RelyingParty,
  challenge: string,
  userVerification: PasskeyRequestOptions['userVerification'],
  allowed: readonly Passkey[],
): PasskeyRequestOptions {
  return {
    challenge,
    rpId: party.id,
    timeout: CHALLENGE_MS,
    userVerification,
    allowCredentials: allowed.map(toDescriptor),
  }
}
