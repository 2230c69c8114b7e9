/** The preset of Jenkins. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, URL_TOKEN } from '../schemes/config-keys.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'jenkins',
  name: 'Jenkins',
  description:
    'Jenkins build notifications sent by plugins; core has no outgoing webhook and nothing is signed.',
  mode: 'token',
  docs: 'https://plugins.jenkins.io/notification/',
  configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, { ...URL_TOKEN, required: false }],
  verify: {
    kind: 'any',
    of: [
      namedHeader(),
      { kind: 'token', at: { query: 'token' }, config: 'url_token', needs: ['url_token'] },
    ],
  },
  eventType: ['$.build.phase'],
  deliveryId: ['{$.build.full_url}:{$.build.phase}'],
  notes:
    'Jenkins itself sends no webhooks: what its plugins send depends on them. Have the plugin or the pipeline send a header (header_name and secret), or a token in the URL. Not confirmed by the platform’s documents.',
}
