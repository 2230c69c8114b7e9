/** How all platforms of Meta sign and how they ask for a handshake. */
import type { HandshakeRule } from '../handshake-rules.ts'
import type { HmacRule } from '../verification-rules.ts'
import { bodyHmac } from './body-hmac.ts'

/** WebSub's handshake, with a token that the user has chosen. */
export const META_CHALLENGE: HandshakeRule = {
  when: {
    method: 'GET',
    equals: [{ at: { query: 'hub.mode' }, text: 'subscribe' }],
    has: [{ query: 'hub.challenge' }],
    proof: { at: { query: 'hub.verify_token' }, config: 'verify_token' },
  },
  echo: { query: 'hub.challenge' },
  as: { text: true },
}

export const META_SIGNATURE: HmacRule = bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' })
