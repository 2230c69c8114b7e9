/** The preset of PayU. */
import type { Preset } from '../preset.ts'
import type { HashName, HmacRule } from '../verification-rules.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'payu',
  name: 'PayU',
  description: 'PayU EMEA (Poland, CEE) order notifications.',
  mode: 'provider_specific',
  docs: 'https://developers.payu.com/europe/docs/webhooks/notifications/',
  configKeys: [{ ...SECRET, meaning: 'The second key of the point of sale.' }],
  // The header names its algorithm, and the hashes differ in length: one can't be taken for
  // another.
  verify: {
    kind: 'any',
    of: (['OpenPayu-Signature', 'X-OpenPayU-Signature'] as const).flatMap((header) =>
      (['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const).map((algorithm) =>
        payuSignature(header, algorithm),
      ),
    ),
  },
  eventType: ['$.order.status'],
  deliveryId: ['{$.order.orderId}:{$.order.status}'],
  accepted: { status: 200 },
}

function payuSignature(header: string, algorithm: HashName): HmacRule {
  return {
    kind: 'hmac',
    algorithm,
    bareHash: true,
    encoding: 'hex',
    signature: {
      at: { header },
      format: { kind: 'fields', separator: ';', signature: 'signature' },
    },
    signed: '{body}{key}',
  }
}
