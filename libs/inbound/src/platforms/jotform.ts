/** The preset of Jotform. */
import type { Preset } from '../preset.ts'
import { URL_TOKEN } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'jotform',
  name: 'Jotform',
  description: 'Submission posts as multipart form data; not signed',
  mode: 'none',
  docs: 'https://www.jotform.com/help/245-how-to-setup-a-webhook-with-jotform/',
  configKeys: [URL_TOKEN],
  verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
  eventType: [],
  deliveryId: ['$.submissionID'],
  notes:
    'Jotform signs nothing: the token in the URL is all that protects the inbound endpoint. Every event is a submission. Not confirmed by the platform’s documents.',
}
