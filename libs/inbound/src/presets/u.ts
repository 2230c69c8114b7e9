/** The platforms from Unit to Uploadcare. */
import type { Preset } from '../preset.ts'
import { SECRET } from './config-keys.ts'

export const u: readonly Preset[] = [
  {
    source: 'unit',
    name: 'Unit',
    description: 'Unit banking-as-a-service webhooks.',
    mode: 'hmac',
    docs: 'https://www.unit.co/docs/api/webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { at: { header: 'X-Unit-Signature' } },
      signed: '{body}',
    },
    eventType: ['$.data[*].type'],
    deliveryId: ['$.data[*].id'],
  },
  {
    source: 'uploadcare',
    name: 'Uploadcare',
    description: 'Uploadcare file webhooks.',
    mode: 'hmac',
    docs: 'https://uploadcare.com/docs/security/secure-webhooks/',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'X-Uc-Signature' }, format: { kind: 'bare', prefix: 'v1=' } },
      signed: '{body}',
    },
    eventType: ['$.hook.event'],
    deliveryId: ['{$.hook.event}:{$.data.uuid}'],
  },
]
