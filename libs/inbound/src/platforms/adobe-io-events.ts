/** The preset of Adobe I/O Events. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'adobe-io-events',
  name: 'Adobe I/O Events',
  description: 'Adobe I/O Events delivered to a webhook registration.',
  mode: 'asymmetric',
  docs: 'https://developer.adobe.com/events/docs/guides/',
  configKeys: [
    {
      name: 'client_id',
      secret: false,
      required: true,
      meaning:
        'The client id of the project in the Adobe Developer Console: events for other clients are refused.',
    },
  ],
  verify: {
    kind: 'all',
    of: [
      {
        kind: 'any',
        of: [
          {
            kind: 'asymmetric',
            algorithm: 'rsa-sha256',
            encoding: 'base64',
            signature: { at: { header: 'x-adobe-digital-signature-1' } },
            signed: '{body}',
            key: {
              urlAt: { header: 'x-adobe-public-key1-path' },
              base: 'https://static.adobeioevents.com',
              hosts: /^static\.adobeioevents\.com$/,
              path: /\.pem$/,
            },
          },
          {
            kind: 'asymmetric',
            algorithm: 'rsa-sha256',
            encoding: 'base64',
            signature: { at: { header: 'x-adobe-digital-signature-2' } },
            signed: '{body}',
            key: {
              urlAt: { header: 'x-adobe-public-key2-path' },
              base: 'https://static.adobeioevents.com',
              hosts: /^static\.adobeioevents\.com$/,
              path: /\.pem$/,
            },
          },
        ],
      },
      { kind: 'token', at: { json: '$.recipientclientid' }, config: 'client_id' },
    ],
  },
  handshakes: [
    {
      when: { method: 'GET', has: [{ query: 'challenge' }] },
      echo: { query: 'challenge' },
      as: { text: true },
    },
  ],
  eventType: ['$.type', "$.event['@type']"],
  deliveryId: ['$.headers.x-adobe-event-id'],
  notes: 'For journalling and runtime actions Adobe signs nothing; use the delivery to a webhook.',
}
