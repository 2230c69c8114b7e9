/** The platforms from Netlify to npm registry hooks. */
import { learnNotionToken } from '../odd/notion.ts'
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import {
  HEADER_NAME,
  OPTIONAL_SECRET,
  OPTIONAL_SHARED_SECRET,
  PASSWORD,
  SECRET,
  USERNAME,
} from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const n: readonly Preset[] = [
  {
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
  },
  {
    source: 'new-relic',
    name: 'New Relic',
    description:
      'New Relic alert workflow webhooks; destination-level basic auth, token or custom headers.',
    mode: 'token',
    docs: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: headerOrBasic(),
    eventType: ['$.trigger', '$.state'],
    deliveryId: [],
    notes:
      'Set what the destination sends: Basic credentials, a token, or a header of your own. Nothing is signed. The body is a template that you may have changed.',
  },
  {
    source: 'notion',
    name: 'Notion',
    description: 'Integration webhook events signed with the verification token',
    mode: 'hmac',
    docs: 'https://developers.notion.com/reference/webhooks',
    configKeys: [
      {
        ...OPTIONAL_SECRET,
        meaning:
          'The verification token, secret_…. Notion’s first request brings it, and it is kept then.',
      },
    ],
    verify: bodyHmac('X-Notion-Signature', { prefix: 'sha256=' }),
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ json: '$.verification_token' }],
          hasNot: [{ json: '$.type' }],
        },
        odd: learnNotionToken,
      },
    ],
    eventType: ['$.type'],
    deliveryId: ['$.id'],
    notes:
      'Make the receiver without a secret, then the subscription at Notion: the token that it sends is kept as the secret. Paste the same token into Notion’s page to activate the subscription. A later token never replaces one that is set.',
  },
  {
    source: 'npm',
    name: 'npm registry hooks',
    description: "npm package hook notifications signed with the hook's shared secret.",
    mode: 'hmac',
    docs: 'https://github.com/npm/npm-hook-receiver',
    configKeys: [SECRET],
    verify: bodyHmac('x-npm-signature', { prefix: 'sha256=' }),
    eventType: ['$.event'],
    deliveryId: [],
    notes: 'Hooks seem to be withdrawn: npm’s command line no longer has them.',
  },
]
