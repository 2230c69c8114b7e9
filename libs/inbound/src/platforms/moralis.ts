/** The preset of Moralis. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'moralis',
  name: 'Moralis',
  description: 'Moralis Streams webhooks.',
  mode: 'provider_specific',
  docs: 'https://docs.moralis.com/streams-api/evm/stream-security/webhook-security',
  configKeys: [
    { ...SECRET, meaning: 'The streams secret in the account’s settings, or the API key.' },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'keccak256',
    bareHash: true,
    encoding: 'hex',
    signature: { at: { header: 'x-signature' }, format: { kind: 'bare', prefix: '0x' } },
    signed: '{body}{key}',
  },
  handshakes: [
    {
      // The test when a stream is created or changed.
      when: {
        method: 'POST',
        equals: [
          { at: { json: '$.streamId' }, text: '' },
          { at: { json: '$.chainId' }, text: '' },
          { at: { json: '$.block.hash' }, text: '' },
        ],
      },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.tag', '$.streamId'],
  deliveryId: ['{$.streamId}:{$.block.hash}:{$.confirmed}'],
  accepted: { status: 200 },
}
