/**
 * X asks for an HMAC of a token of its choice, without proving who asks, and signs its events with
 * the same key in the same way. So that nobody can have a body signed by us, the answer is given
 * only for an alphabet in which no JSON object can be written, and a body of that alphabet is
 * refused.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { withKind } from '../schemes/member-named.ts'

const CRC_ALPHABET = /^[A-Za-z0-9+/=_-]{1,256}$/

export const preset: Preset = {
  source: 'twitter',
  name: 'X (Twitter)',
  description: 'X (Twitter) Account Activity and other X API webhooks.',
  mode: 'hmac',
  docs: 'https://docs.x.com/x-api/webhooks/quickstart',
  configKeys: [
    {
      name: 'consumer_secret',
      secret: true,
      required: true,
      meaning: 'The app’s consumer secret, also named API secret key.',
    },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: {
      at: { header: 'x-twitter-webhooks-signature' },
      format: { kind: 'bare', prefix: 'sha256=' },
    },
    signed: '{body}',
    content: twitterContent,
    key: { config: 'consumer_secret' },
  },
  handshakes: [
    {
      when: { method: 'GET', has: [{ query: 'crc_token' }] },
      echo: { query: 'crc_token' },
      as: {
        hash: 'response_token',
        key: 'consumer_secret',
        encoding: 'base64',
        prefix: 'sha256=',
        alphabet: CRC_ALPHABET,
      },
    },
  ],
  unpack: (document) => withKind(document, (name) => name.endsWith('_events')),
  eventType: ['$.kind'],
  deliveryId: [],
  accepted: { status: 200 },
}

function twitterContent(view: RequestView): Buffer[] {
  const { body } = view.request
  return body.length === 0 || CRC_ALPHABET.test(body.toString('latin1')) ? [] : [body]
}
