/** The preset of Travis CI. */
import type { Preset } from '../preset.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'travis-ci',
  name: 'Travis CI',
  description: "Travis CI build notifications posted as a form and signed with Travis's RSA key.",
  mode: 'asymmetric',
  docs: 'https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests',
  configKeys: [
    {
      ...PUBLIC_KEY,
      required: false,
      meaning:
        'Of an Enterprise installation, from its API: /config, config.notifications.webhook.public_key. Default: what the API host publishes.',
    },
    {
      name: 'api_host',
      secret: false,
      required: false,
      values: ['api.travis-ci.com'],
      meaning: 'The host whose published key is used.',
    },
  ],
  verify: {
    kind: 'asymmetric',
    algorithm: 'rsa-sha1',
    encoding: 'base64',
    signature: { at: { header: 'Signature' } },
    signed: '{form:payload}',
    key: {
      config: 'public_key',
      or: {
        publishedAt: 'https://api.travis-ci.com/config',
        path: '$.config.notifications.webhook.public_key',
      },
    },
  },
  eventType: ['$.state', '$.status_message'],
  deliveryId: [],
  notes:
    'The key is the same for all of Travis CI: the signature tells that it sent this, not for which repository.',
}
