/** The preset of Dropbox Sign (HelloSign). */
import type { Preset } from '../preset.ts'
import { verifyHelloSign } from './hellosign.verifier.ts'

export const preset: Preset = {
  source: 'hellosign',
  name: 'Dropbox Sign (HelloSign)',
  description: 'Signature-request events with a hash of time and type inside the payload',
  mode: 'provider_specific',
  docs: 'https://developers.hellosign.com/docs/events/walkthrough/',
  configKeys: [
    {
      name: 'secret',
      secret: true,
      required: true,
      meaning: 'The API key of the account, or of the owner of the app.',
    },
  ],
  verify: { kind: 'custom', verify: verifyHelloSign },
  eventType: ['$.event.event_type'],
  deliveryId: [
    '{$.event.event_hash}:{$.signature_request.signature_request_id}:{$.event.event_metadata.related_signature_id}',
    '{$.event.event_hash}:{$.signature_request.signature_request_id}',
  ],
  accepted: { status: 200, body: 'Hello API Event Received', type: 'text/plain; charset=utf-8' },
  notes:
    'The signature covers the time and the type of the event, not the documents that it names: ask Dropbox Sign for these. The test that Dropbox Sign sends is an event like any other.',
}
