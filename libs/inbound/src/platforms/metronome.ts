/** The preset of Metronome. */
import type { Preset } from '../preset.ts'
import type { HmacRule } from '../verification-rules.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'metronome',
  name: 'Metronome',
  description: 'Metronome usage-billing notifications.',
  mode: 'hmac_timestamped',
  docs: 'https://docs.metronome.com/api-reference/webhooks/',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [metronomeSignature('X-Metronome-Date'), metronomeSignature('Date')],
  },
  eventType: ['$.type'],
  deliveryId: ['$.id'],
}

/** Older deliveries have the date only in the header of that name. */
function metronomeSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'Metronome-Webhook-Signature' } },
    signed: '{t}\n{body}',
    timestamp: { at: { header }, unit: 'http-date', toleranceSeconds: 300 },
  }
}
