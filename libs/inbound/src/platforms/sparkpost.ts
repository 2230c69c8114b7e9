/** The preset of SparkPost. */
import type { Preset } from '../preset.ts'
import { REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'sparkpost',
  name: 'SparkPost',
  description: 'SparkPost event webhooks.',
  mode: 'basic_auth',
  docs: 'https://developers.sparkpost.com/api/webhooks/',
  configKeys: [REQUIRED_USERNAME, REQUIRED_PASSWORD],
  verify: BASIC,
  handshakes: [
    {
      // The test batch when a webhook is created or changed.
      signed: true,
      when: {
        method: 'POST',
        hasNot: [{ json: '$[*].msys.*.type' }, { header: 'X-MessageSystems-Batch-ID' }],
      },
      answer: { status: 200 },
    },
  ],
  eventType: ['$[*].msys.*.type'],
  deliveryId: ['$.headers.X-MessageSystems-Batch-ID'],
  accepted: { status: 200 },
  notes:
    'Choose Basic authentication for the webhook; its OAuth 2.0 is not checked. A request holds a batch of events: they are one event here, named by the first.',
}
