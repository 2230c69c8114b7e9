/** The preset of Netlify. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'netlify',
  name: 'Netlify',
  description:
    'Netlify deploy and form notifications carrying a JWS in X-Webhook-Signature when a secret token is set.',
  mode: 'jwt',
  docs: 'https://docs.netlify.com/deploy/deploy-notifications/#payload-signature',
  configKeys: [{ ...SECRET, meaning: 'The JWS secret token of the notification.' }],
  verify: {
    kind: 'jwt',
    at: { header: 'X-Webhook-Signature' },
    algorithms: ['HS256'],
    key: { config: 'secret', as: 'utf8' },
    issuer: 'netlify',
    claims: [{ claim: 'sha256', is: { hashOf: '{body}', algorithm: 'sha256', encoding: 'hex' } }],
  },
  eventType: ['$.headers.X-Netlify-Event', '$.state'],
  deliveryId: [],
  notes:
    'Without a secret token Netlify signs nothing and is refused. No time is signed. The event’s name is in a header that is not signed.',
}
