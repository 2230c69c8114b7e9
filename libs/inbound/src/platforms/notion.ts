/**
 * Notion's first request brings the token that signs all later ones: it is stored. Notion's
 * documents do not agree on whether the first request is signed.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { OPTIONAL_SECRET } from '../schemes/config-keys.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export const preset: Preset = {
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
      custom: learnNotionToken,
    },
  ],
  eventType: ['$.type'],
  deliveryId: ['$.id'],
  notes:
    'Make the inbound endpoint without a secret, then the subscription at Notion: the token that it sends is kept as the secret. Paste the same token into Notion’s page to activate the subscription. A later token never replaces one that is set.',
}

function learnNotionToken(view: RequestView): HandshakeAnswer | null {
  const secret = view.values({ json: '$.verification_token' })[0]
  if (secret === undefined || !/^[\x21-\x7e]{1,256}$/.test(secret)) return null
  const answer = { status: 200, headers: {}, body: '' }
  // Whoever knows the URL could send another token: it is ignored once there is one.
  return view.configured('secret').length > 0 ? answer : { ...answer, learned: { secret } }
}
