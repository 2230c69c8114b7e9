/** The preset of Supabase Database Webhooks. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SHARED_SECRET } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'supabase-database',
  name: 'Supabase Database Webhooks',
  description:
    'Row INSERT/UPDATE/DELETE notifications sent by Supabase pg_net; authenticated only by headers you add.',
  mode: 'token',
  docs: 'https://supabase.com/docs/guides/database/webhooks',
  configKeys: [SHARED_SECRET, HEADER_NAME],
  verify: namedHeader(),
  eventType: ['{$.table}.{$.type}', '$.type'],
  deliveryId: [],
  notes:
    'Add a header to the webhook. Nothing is signed, and a change has no id: the same change of the same row, made again soon, is taken for a repeat.',
}
