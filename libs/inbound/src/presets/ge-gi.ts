/** The platforms from Generic to GitLab. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { HEADER_NAME, SECRET } from '../schemes/config-keys.ts'
import { GENERIC_HMAC } from '../schemes/generic-hmac.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'

export const geGi: readonly Preset[] = [
  {
    source: 'generic',
    name: 'Generic',
    description:
      'Any sender that signs the body with HMAC-SHA256, in hex, in a header that you name.',
    mode: 'hmac',
    docs: 'https://www.rfc-editor.org/rfc/rfc2104',
    configKeys: [
      SECRET,
      { ...HEADER_NAME, required: true, meaning: 'The header that holds the signature.' },
      {
        name: 'prefix',
        secret: false,
        required: false,
        meaning: 'What stands before the signature in its header, as in sha256=.',
      },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { headerNamedBy: 'header_name' },
        format: { kind: 'bare', prefix: '{config:prefix}' },
      },
      signed: '{body}',
    },
    eventType: [],
    deliveryId: [],
    notes:
      'The signature is the HMAC-SHA256 of the body, in hex. The event’s type comes from eventTypeMapping.',
  },
  {
    source: 'generic-hmac',
    name: 'Generic HMAC',
    description:
      'Any sender that signs the raw body with a shared secret; header, algorithm, encoding and prefix are user settings.',
    mode: 'hmac',
    docs: 'https://www.rfc-editor.org/rfc/rfc2104',
    configKeys: [
      SECRET,
      { ...HEADER_NAME, required: true, meaning: 'The header that holds the signature.' },
      {
        name: 'prefix',
        secret: false,
        required: false,
        meaning: 'What stands before the signature in its header, as in sha256=.',
      },
      {
        name: 'algorithm',
        secret: false,
        required: false,
        meaning: 'Default: sha256.',
        values: ['sha1', 'sha256', 'sha384', 'sha512'],
      },
      {
        name: 'encoding',
        secret: false,
        required: false,
        meaning: 'Default: hex.',
        values: ['hex', 'base64'],
      },
    ],
    verify: GENERIC_HMAC,
    eventType: [],
    deliveryId: [],
    notes: 'For senders that sign the body alone. The event’s type comes from eventTypeMapping.',
  },
  {
    source: 'ghost',
    name: 'Ghost',
    description: 'Ghost CMS custom-integration webhooks (posts, pages, members).',
    mode: 'hmac_timestamped',
    docs: 'https://docs.ghost.org/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Ghost-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'sha256', timestamp: 't' },
      },
      signed: '{body}{t}',
      timestamp: { at: 'signature', unit: 'milliseconds', toleranceSeconds: null },
    },
    eventType: ['$.event'],
    deliveryId: [],
    notes:
      'For Ghost 5.87 and later: earlier ones sign in another way. Give the webhook a secret. Where a request names no event, use a receiver for each.',
  },
  {
    source: 'gitea',
    name: 'Gitea',
    description: 'Gitea repository, organization and system webhooks.',
    mode: 'hmac',
    docs: 'https://docs.gitea.com/usage/webhooks',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [bodyHmac('X-Gitea-Signature'), bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' })],
    },
    eventType: ['$.headers.X-Gitea-Event'],
    deliveryId: ['$.headers.X-Gitea-Delivery'],
    notes:
      'With content type application/json. In a form the signature covers a part of the body only, and is refused.',
  },
  {
    source: 'github',
    name: 'GitHub',
    description: 'Repository, organisation and GitHub App events signed over the raw body',
    mode: 'hmac',
    docs: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
    eventType: ['$.headers.X-GitHub-Event'],
    deliveryId: ['$.headers.X-GitHub-Delivery'],
    notes:
      'The signature is there only when the webhook has a secret. Both content types will do; with a form the event is the JSON in its field payload.',
  },
  {
    source: 'github-marketplace',
    name: 'GitHub Marketplace',
    description: 'GitHub Marketplace listing purchase events (same scheme for GitHub Apps).',
    mode: 'hmac',
    docs: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
    configKeys: [SECRET],
    verify: bodyHmac('X-Hub-Signature-256', { prefix: 'sha256=' }),
    eventType: ['$.headers.X-GitHub-Event'],
    deliveryId: ['$.headers.X-GitHub-Delivery'],
  },
  {
    source: 'gitlab',
    name: 'GitLab (secret token)',
    description: 'Project, group and system hooks that echo a static secret token',
    mode: 'token',
    docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
    configKeys: [
      { name: 'secret', secret: true, required: true, meaning: 'The secret token of the webhook.' },
    ],
    verify: { kind: 'token', at: { header: 'X-Gitlab-Token' }, config: 'secret' },
    eventType: ['$.headers.X-Gitlab-Event', '$.object_kind'],
    deliveryId: ['$.headers.Idempotency-Key'],
    notes:
      'GitLab sends the secret token itself and signs nothing. Newer versions can sign: use gitlab-signing-token for these.',
  },
  {
    source: 'gitlab-signing-token',
    name: 'GitLab (signing token)',
    description:
      'Newer GitLab hooks with an HMAC signing token that follow the Standard Webhooks scheme',
    mode: 'hmac_timestamped',
    docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
    configKeys: [SECRET],
    verify: standardWebhooks('webhook'),
    eventType: ['$.headers.X-Gitlab-Event'],
    deliveryId: ['$.headers.webhook-id'],
    notes:
      'Enter the signing token whole, with its whsec_. A secret token, sent beside it, is not looked at.',
  },
]
