/** Meta's platforms sign alike and ask alike. */
import type { HandshakeRule } from '../handshake-rules.ts'
import type { HmacRule } from '../preset.ts'

/** WebSub's question, with a token of the user's own. */
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

export const META_SIGNATURE: HmacRule = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  signature: { at: { header: 'X-Hub-Signature-256' }, format: { kind: 'bare', prefix: 'sha256=' } },
  signed: '{body}',
}
