/** The platforms from Sumsub to Synctera. */
import type { Preset } from '../preset.ts'
import { HEADER_NAME, SECRET, SHARED_SECRET } from '../schemes/config-keys.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { namedHeader } from '../schemes/static-credentials.ts'

const SUPABASE = standardWebhooks('webhook')

export const suSy: readonly Preset[] = [
  {
    source: 'sumsub',
    name: 'Sumsub',
    description:
      'Sumsub applicant webhooks with a digest header and a header naming the algorithm.',
    mode: 'hmac',
    docs: 'https://docs.sumsub.com/docs/webhooks#verify-webhook-sender',
    configKeys: [
      SECRET,
      {
        name: 'algorithm',
        secret: false,
        required: false,
        values: ['sha1', 'sha256', 'sha512'],
        meaning: 'As chosen for the webhook at Sumsub. Default: sha256.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'hex',
          signature: { at: { header: 'X-Payload-Digest' } },
          signed: '{body}',
          needs: ['algorithm?=sha256'],
        },
        {
          kind: 'hmac',
          algorithm: 'sha512',
          encoding: 'hex',
          signature: { at: { header: 'X-Payload-Digest' } },
          signed: '{body}',
          needs: ['algorithm=sha512'],
        },
        {
          kind: 'hmac',
          algorithm: 'sha1',
          encoding: 'hex',
          signature: { at: { header: 'X-Payload-Digest' } },
          signed: '{body}',
          needs: ['algorithm=sha1'],
        },
      ],
    },
    eventType: ['$.type'],
    deliveryId: ['{$.applicantId}:{$.type}:{$.createdAtMs}'],
  },
  {
    source: 'supabase-auth-hook',
    name: 'Supabase Auth Hooks',
    description:
      'Supabase Auth HTTP hooks (send email/SMS, custom token, MFA and password checks), signed per Standard Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://supabase.com/docs/guides/auth/auth-hooks',
    configKeys: [SECRET],
    verify: {
      ...SUPABASE,
      // Several signatures stand with a comma and a space between them.
      signature: {
        ...SUPABASE.signature,
        format: { kind: 'list', separator: ', ', prefix: 'v1,' },
      },
    },
    eventType: ['$.email_data.email_action_type'],
    deliveryId: [],
    accepted: { status: 200, type: 'application/json', body: '{}' },
    notes:
      'Supabase waits for the answer and goes on by it: it is always {}. Only hooks that send something are of use here.',
  },
  {
    source: 'supabase-database',
    name: 'Supabase Database Webhooks',
    description:
      'Row INSERT/UPDATE/DELETE notifications sent by Supabase pg_net; authenticated only by headers you add.',
    mode: 'token',
    docs: 'https://supabase.com/docs/guides/database/webhooks',
    configKeys: [SHARED_SECRET, HEADER_NAME],
    verify: namedHeader(),
    eventType: ['{$.table}.{$.type}', '$.type'],
    deliveryId: [],
    notes:
      'Add a header to the webhook. Nothing is signed, and a change has no id: the same change of the same row, made again soon, is taken for a repeat.',
  },
  {
    source: 'surveymonkey',
    name: 'SurveyMonkey',
    description: 'SurveyMonkey webhook callbacks.',
    mode: 'hmac',
    docs: 'https://api.surveymonkey.com/v3/docs#webhook-callbacks',
    configKeys: [
      {
        name: 'client_id',
        secret: false,
        required: true,
        meaning: 'The app’s client id; of an old app its API key.',
      },
      { ...SECRET, meaning: 'The app’s secret.' },
    ],
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { at: { header: 'Sm-Signature' } },
      signed: '{body}',
      key: { config: 'secret', prefix: '{config:client_id}&' },
    },
    handshakes: [{ when: { method: 'HEAD' }, answer: { status: 200 } }],
    eventType: ['$.event_type'],
    deliveryId: ['$.event_id'],
  },
  {
    source: 'svix',
    name: 'Svix',
    description: 'Webhooks sent through Svix with its original svix-* headers.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
    configKeys: [SECRET],
    verify: { kind: 'any', of: [standardWebhooks('svix'), standardWebhooks('webhook')] },
    eventType: ['$.type'],
    deliveryId: ['$.headers.svix-id', '$.headers.webhook-id'],
  },
  {
    source: 'synctera',
    name: 'Synctera',
    description: 'Synctera banking webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://dev.synctera.com/docs/webhooks-guide',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'Synctera-Signature' }, format: { kind: 'list', separator: '.' } },
      signed: '{t}.{body}',
      timestamp: { at: { header: 'Request-Timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.type'],
    deliveryId: ['$.id'],
  },
]
