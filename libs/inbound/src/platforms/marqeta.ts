/** Marqeta names the kind of its events by the list that they stand in. */
import { isCrowded } from '@posthorn/domain/json-in-steps'
import type { Preset } from '../preset.ts'
import { OPTIONAL_SECRET, REQUIRED_PASSWORD, REQUIRED_USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const preset: Preset = {
  source: 'marqeta',
  name: 'Marqeta',
  description: 'Marqeta card-event webhooks (basic auth plus optional HMAC).',
  mode: 'basic_auth',
  docs: 'https://www.marqeta.com/docs/developer-guides/signature-verification',
  configKeys: [
    REQUIRED_USERNAME,
    REQUIRED_PASSWORD,
    { ...OPTIONAL_SECRET, meaning: 'The webhook’s secret; with it Marqeta signs besides.' },
    {
      name: 'signature_algorithm',
      secret: false,
      required: false,
      values: ['sha1', 'sha256'],
      meaning: 'As set at Marqeta. Not set: either.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      BASIC,
      {
        kind: 'any',
        needs: ['secret'],
        of: [
          {
            kind: 'hmac',
            algorithm: 'sha1',
            encoding: 'hex',
            signature: { at: { header: 'X-Marqeta-Signature' } },
            signed: '{body}',
            needs: ['signature_algorithm?=sha1'],
          },
          {
            kind: 'hmac',
            algorithm: 'sha256',
            encoding: 'hex',
            signature: { at: { header: 'X-Marqeta-Signature' } },
            signed: '{body}',
            needs: ['signature_algorithm?=sha256'],
          },
        ],
      },
    ],
  },
  handshakes: [
    {
      signed: true,
      when: { method: 'POST', has: [{ json: '$.pings[0].token' }] },
      answer: { status: 200 },
    },
  ],
  unpack: marqetaEvents,
  eventType: ['{$.kind}.{$.items[0].type}', '{$.kind}.{$.items[0].state}', '$.kind'],
  deliveryId: ['{$.kind}:{$.items[*].token}'],
  notes:
    'For two weeks after a change from sha1 to sha256 Marqeta may repeat events with the old one: leave signature_algorithm unset meanwhile.',
}

function marqetaEvents(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || isCrowded(document)) return document
  for (const kind of Object.keys(document)) {
    const items = (document as Record<string, unknown>)[kind]
    if (Array.isArray(items)) return { kind, items }
  }
  return { kind: undefined, items: undefined }
}
