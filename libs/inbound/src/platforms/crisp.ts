/** The preset of Crisp. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'crisp',
  name: 'Crisp',
  description: 'Crisp chat plugin web hooks.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.crisp.chat/references/web-hooks/v1/',
  configKeys: [SECRET],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-Crisp-Signature' } },
    signed: '[{t};{body}]',
    timestamp: {
      at: { header: 'X-Crisp-Request-Timestamp' },
      unit: 'milliseconds',
      toleranceSeconds: 300,
    },
  },
  eventType: ['$.event'],
  deliveryId: ['{$.timestamp}:{$.data.fingerprint}'],
  notes:
    'For web hooks of a plugin. Those of a website have only a key in their URL and are refused.',
}
