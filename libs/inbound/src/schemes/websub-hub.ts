/** WebSub: how hubs sign what they deliver, and how they ask whether a subscription is wanted. */
import type { HandshakeRule } from '../handshake-rules.ts'
import type { HashName, HmacRule } from '../verification-rules.ts'

export const HUB_CHALLENGE: HandshakeRule & { readonly echo: { readonly query: string } } = {
  when: { method: 'GET', has: [{ query: 'hub.mode' }, { query: 'hub.challenge' }] },
  echo: { query: 'hub.challenge' },
  as: { text: true },
}

export function hubSignature(algorithm: HashName): HmacRule {
  return {
    kind: 'hmac',
    algorithm,
    encoding: 'hex',
    signature: {
      at: { header: 'X-Hub-Signature' },
      format: { kind: 'bare', prefix: `${algorithm}=` },
    },
    signed: '{body}',
  }
}
