/**
 * Mandrill signs the URL as it was entered, followed by the names and values of the form, sorted by
 * name.
 */
import type { Preset } from '../preset.ts'
import { readJson } from '../read-json.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'
import { glued, sortedFields } from '../schemes/sorted-fields.ts'
import { webhookUrl } from '../signed-content.ts'

export const preset: Preset = {
  source: 'mandrill',
  name: 'Mailchimp Transactional (Mandrill)',
  description: 'Mailchimp Transactional (Mandrill) message and inbound webhooks.',
  mode: 'provider_specific',
  docs: 'https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/',
  configKeys: [
    { ...SECRET, meaning: 'The webhook’s key in Mandrill’s list of webhooks.' },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha1',
    encoding: 'base64',
    signature: { at: { header: 'X-Mandrill-Signature' } },
    signed: '{url}, and name and value of each form field, sorted by name',
    content: mandrillContent,
  },
  handshakes: [
    { when: { method: 'HEAD' }, answer: { status: 200 } },
    // The test when the webhook is added: it is signed with a key that everybody knows, and holds
    // no events.
    {
      when: { method: 'POST', equals: [{ at: { form: 'mandrill_events' }, text: '[]' }] },
      answer: { status: 200 },
    },
  ],
  unpack: mandrillEvents,
  eventType: ['$[*].event'],
  deliveryId: ['{$[*]._id}:{$[*].event}:{$[*].ts}'],
  accepted: { status: 200 },
  notes:
    'The URL is signed exactly as it was entered, with its query and with credentials in it: where it is another than the inbound endpoint’s, configure it as webhook_url.',
}

function mandrillContent(view: RequestView): string[] {
  const form = view.form()
  return form.size === 0 ? [] : [webhookUrl(view) + glued(sortedFields(form))]
}

/** Opens the JSON array of events in a field of the form. */
async function mandrillEvents(document: unknown): Promise<unknown> {
  const { mandrill_events: events } = (document ?? {}) as { mandrill_events?: unknown }
  if (typeof events !== 'string') return document
  const read = await readJson(events)
  return read.outcome === 'ok' ? read.value : document
}
