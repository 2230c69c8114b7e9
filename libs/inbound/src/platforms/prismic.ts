/** The preset of Prismic. */
import type { Preset } from '../preset.ts'
import { SHARED_SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'prismic',
  name: 'Prismic',
  description: 'Prismic repository webhooks (API update, releases, tags).',
  mode: 'token',
  docs: 'https://prismic.io/docs/webhooks',
  configKeys: [{ ...SHARED_SECRET, meaning: 'The secret that you gave the webhook.' }],
  verify: { kind: 'token', at: { json: '$.secret' }, config: 'secret' },
  eventType: ['$.type'],
  deliveryId: [],
  notes:
    'The secret is part of the body, and goes on to your endpoints with it: take it out with a transformation where they must not see it. The button for tests sends the type test-trigger.',
}
