/** The platforms from Anthropic to Authorize.Net. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { learnAsanaSecret } from '../odd/asana.ts'
import { learnInstallation, verifyConnect } from '../platforms/atlassian-connect.verifier.ts'
import { SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const anAu: readonly Preset[] = [
  {
    source: 'anthropic',
    name: 'Anthropic (Claude Managed Agents)',
    description:
      'Claude Managed Agents session, vault, agent and environment events, signed per Standard Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://platform.claude.com/docs/en/managed-agents/webhooks',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.data.type'],
    deliveryId: ['$.id', '$.headers.webhook-id'],
    notes: 'For Claude Managed Agents. Message batches have no webhooks.',
  },
  {
    source: 'asana',
    name: 'Asana',
    description: 'Resource-change batches signed with a secret exchanged in the creation handshake',
    mode: 'hmac',
    docs: 'https://developers.asana.com/docs/webhooks-guide',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: false,
        meaning:
          'Asana sends it itself when the webhook is made, and it is kept. Enter it only for a webhook that was made elsewhere.',
      },
    ],
    verify: bodyHmac('X-Hook-Signature'),
    handshakes: [
      {
        when: {
          method: 'POST',
          has: [{ header: 'X-Hook-Secret' }],
          hasNot: [{ header: 'X-Hook-Signature' }],
        },
        odd: learnAsanaSecret,
      },
    ],
    eventType: ['$.events[*].action'],
    deliveryId: [],
    notes:
      'Make the webhook in Asana with the URL of this receiver: the secret comes with its first request. A second webhook needs a receiver of its own.',
  },
  {
    source: 'ashby',
    name: 'Ashby',
    description: 'Ashby recruiting webhooks with an optional HMAC in Ashby-Signature.',
    mode: 'hmac',
    docs: 'https://developers.ashbyhq.com/docs/authenticating-webhooks',
    configKeys: [SECRET],
    verify: bodyHmac('Ashby-Signature', { prefix: 'sha256=' }),
    eventType: ['$.action'],
    deliveryId: [],
    notes:
      'The signature is there only when a secret token was entered in Ashby. Its first ping must be signed too.',
  },
  {
    source: 'atlassian-connect',
    name: 'Atlassian Connect app webhooks',
    description: 'Webhooks to Connect apps, authenticated by a JWT bound to the request line',
    mode: 'jwt',
    docs: 'https://developer.atlassian.com/cloud/jira/platform/understanding-jwt-for-connect-apps/',
    configKeys: [
      {
        name: 'shared_secret',
        secret: true,
        required: false,
        meaning:
          'Handed over when the app is installed, and kept then. Enter it only for an app that is installed already.',
      },
      {
        name: 'client_key',
        secret: false,
        required: false,
        meaning: 'The key of the site that may send here; kept when the app is installed.',
      },
      {
        name: 'base_url',
        secret: false,
        required: false,
        meaning:
          'The base URL of the app’s descriptor: the receiver’s URL, or a beginning of it. Needed for the installation.',
      },
    ],
    verify: { kind: 'odd', verify: verifyConnect, usesJsonBody: true, headers: ['Authorization'] },
    handshakes: [
      {
        when: { method: 'POST', equals: [{ at: { json: '$.eventType' }, text: 'installed' }] },
        signed: true,
        odd: learnInstallation,
      },
    ],
    eventType: ['$.webhookEvent', '$.event'],
    deliveryId: [],
    notes:
      'The first site that installs the app is the one that may send; others need receivers of their own. The token binds method, path and query, not the body.',
  },
  {
    source: 'auth0',
    name: 'Auth0',
    description: 'Auth0 log streams (custom webhook) with a static Authorization value.',
    mode: 'token',
    docs: 'https://auth0.com/docs/customize/log-streams/custom-log-streams',
    configKeys: [SHARED_SECRET],
    verify: { kind: 'token', at: { header: 'Authorization' }, config: 'secret' },
    eventType: ['$.data.type', '$[*].data.type'],
    deliveryId: ['$.log_id', '$[*].log_id'],
    notes:
      'Enter the authorization token of the log stream here, letter by letter. As content format choose JSON Object or JSON Array.',
  },
  {
    source: 'authorize-net',
    name: 'Authorize.Net',
    description: 'Authorize.Net event webhooks.',
    mode: 'hmac',
    docs: 'https://developer.authorize.net/api/reference/features/webhooks.html',
    configKeys: [SECRET],
    verify: bodyHmac('X-ANET-Signature', { algorithm: 'sha512', prefix: 'sha512=' }),
    eventType: ['$.eventType'],
    deliveryId: ['$.notificationId'],
    notes: 'Enter the Signature Key as it is shown: its 128 characters are the key.',
  },
]
