/** The preset of LinkedIn. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'linkedin',
  name: 'LinkedIn',
  description: 'LinkedIn lead-sync and organization social-action push events.',
  mode: 'hmac',
  docs: 'https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation',
  configKeys: [SECRET],
  verify: {
    kind: 'any',
    of: [
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: { at: { header: 'X-LI-Signature' } },
        signed: 'hmacsha256={body}',
      },
      {
        kind: 'hmac',
        algorithm: 'sha256',
        encoding: 'hex',
        signature: {
          at: { header: 'X-LI-Signature' },
          format: { kind: 'bare', prefix: 'hmacsha256=' },
        },
        signed: 'hmacsha256={body}',
      },
    ],
  },
  handshakes: [
    {
      when: { method: 'GET', has: [{ query: 'challengeCode' }] },
      echo: { query: 'challengeCode' },
      as: {
        hash: 'challengeResponse',
        key: 'secret',
        encoding: 'hex',
        beside: 'challengeCode',
        alphabet: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      },
    },
  ],
  eventType: ['$.type'],
  deliveryId: ['$.notifications[*].notificationId'],
  notes:
    'The secret is the client secret of the app. Enter it before you register the URL: LinkedIn asks then, and every two hours, for a proof that it is known.',
}
