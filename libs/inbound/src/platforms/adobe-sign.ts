/** The preset of Adobe Acrobat Sign. */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'adobe-sign',
  name: 'Adobe Acrobat Sign',
  description:
    'Agreement events that repeat your API client id, which you must echo on every request; no signature',
  mode: 'token',
  docs: 'https://helpx.adobe.com/sign/developer/webhook/overview.html',
  configKeys: [
    {
      name: 'client_id',
      secret: false,
      required: true,
      meaning:
        'The client id (application id) that Acrobat Sign repeats in every request. Several when several applications send here.',
    },
  ],
  verify: { kind: 'token', at: { header: 'X-AdobeSign-ClientId' }, config: 'client_id' },
  handshakes: [
    {
      when: {
        method: 'GET',
        has: [{ header: 'X-AdobeSign-ClientId' }],
        proof: { at: { header: 'X-AdobeSign-ClientId' }, config: 'client_id' },
      },
      echo: { header: 'X-AdobeSign-ClientId' },
      as: { header: 'X-AdobeSign-ClientId' },
    },
  ],
  eventType: ['$.event'],
  deliveryId: ['$.webhookNotificationId'],
  accepted: { echo: 'X-AdobeSign-ClientId' },
  notes:
    'Acrobat Sign signs nothing, and the client id is no real secret: keep the URL to yourself.',
}
