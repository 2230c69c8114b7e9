/** The preset of Stigg. */
import type { Preset } from '../preset.ts'
import { SHARED_SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'stigg',
  name: 'Stigg',
  description: 'Stigg subscription, entitlement and credit webhooks.',
  mode: 'token',
  docs: 'https://docs.stigg.io/documentation/native-integrations/webhooks',
  configKeys: [
    { ...SHARED_SECRET, meaning: 'The webhook’s signing secret, which Stigg sends as it is.' },
  ],
  verify: { kind: 'token', at: { header: 'Stigg-Webhooks-Secret' }, config: 'secret' },
  eventType: ['$.type'],
  deliveryId: ['$.messageId'],
}
