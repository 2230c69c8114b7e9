/**
 * What platforms send while a secret is rotated: several signatures, one of which is made with the
 * configured secret.
 */
import type { SignedRequest, Signer } from './signer.fixture.ts'

export const WHILE_ROTATED = 'while a secret is changed'

export const OTHER_BASE64 = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

export const OTHER_HEX = '00'.repeat(32)

export function withSignatureHeader(
  base: Signer,
  name: string,
  text: (own: string) => string | string[],
): Signer {
  return {
    ...base,
    variant: WHILE_ROTATED,
    sign(ask): SignedRequest {
      const sent = base.sign(ask)
      return { ...sent, headers: { ...sent.headers, [name]: text(String(sent.headers[name])) } }
    },
  }
}

export const CONTACT_CREATED = { type: 'contact.created', data: { id: '1' } }
