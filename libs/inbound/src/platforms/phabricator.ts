/** The preset of Phabricator / Phorge. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'phabricator',
  name: 'Phabricator / Phorge',
  description: 'Phabricator / Phorge Herald webhooks.',
  mode: 'hmac',
  docs: 'https://secure.phabricator.com/book/phabricator/article/webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-Phabricator-Webhook-Signature'),
  eventType: ['$.object.type'],
  deliveryId: ['$.transactions[*].phid'],
}
