/** What platforms send while a secret is changed: several signatures, of which one is by the secret that is configured. */
import type { SignedRequest, Signer } from './signer.fixture.ts'

export const variant = 'while a secret is changed'

export const ZEROS = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

export const OTHER = '00'.repeat(32)

export function shownAs(
  base: Signer,
  name: string,
  text: (own: string) => string | string[],
): Signer {
  return {
    ...base,
    variant,
    sign(ask): SignedRequest {
      const sent = base.sign(ask)
      return { ...sent, headers: { ...sent.headers, [name]: text(String(sent.headers[name])) } }
    },
  }
}

export const message = { type: 'contact.created', data: { id: '1' } }
