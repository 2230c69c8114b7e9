/** The preset of Supabase Auth Hooks. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

const SUPABASE = standardWebhooks('webhook')

export const preset: Preset = {
  source: 'supabase-auth-hook',
  name: 'Supabase Auth Hooks',
  description:
    'Supabase Auth HTTP hooks (send email/SMS, custom token, MFA and password checks), signed per Standard Webhooks.',
  mode: 'hmac_timestamped',
  docs: 'https://supabase.com/docs/guides/auth/auth-hooks',
  configKeys: [SECRET],
  verify: {
    ...SUPABASE,
    // Several signatures are separated by a comma and a space.
    signature: {
      ...SUPABASE.signature,
      format: { kind: 'list', separator: ', ', prefix: 'v1,' },
    },
  },
  eventType: ['$.email_data.email_action_type'],
  deliveryId: [],
  accepted: { status: 200, type: 'application/json', body: '{}' },
  notes:
    'Supabase waits for the answer and goes on by it: it is always {}. Only hooks that send something are of use here.',
}
