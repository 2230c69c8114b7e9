/**
 * Zoho signs the pairs of the query and of a form, sorted by name and joined, followed by a JSON
 * body.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET, WEBHOOK_URL } from '../schemes/config-keys.ts'
import { glued, sortedFields } from '../schemes/sorted-fields.ts'

export const preset: Preset = {
  source: 'zoho-books',
  name: 'Zoho Books / Billing',
  description: 'Zoho Books / Billing / Inventory workflow webhooks with a secret token.',
  mode: 'provider_specific',
  docs: 'https://www.zoho.com/us/subscriptions/kb/webhooks/securing-webhooks.html',
  configKeys: [
    { ...SECRET, meaning: 'The webhook’s secret token: 12 to 50 letters and digits.' },
    {
      ...WEBHOOK_URL,
      meaning: 'The URL as it was entered at Zoho, when its query is not the one that arrives.',
    },
  ],
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { at: { header: 'X-Zoho-Webhook-Signature' } },
    signed: 'names and values of the query and the form, sorted by name, and the JSON body',
    content: zohoBooksContent,
  },
  eventType: [],
  deliveryId: [],
  notes:
    'You design the body yourself: give the inbound endpoint an eventTypeMapping to where you put a type. That the signature is hexadecimal is not confirmed by the platform’s documents.',
}

function zohoBooksContent(view: RequestView): Buffer[] {
  const { url, body } = view.request
  const entered = view.configured('webhook_url')[0]
  const query =
    (entered === undefined ? null : URL.parse(entered))?.searchParams ?? url.searchParams
  const form = view.form()
  const pairs = glued(sortedFields([...query, ...form]))
  return [Buffer.concat([Buffer.from(pairs), form.size === 0 ? body : Buffer.alloc(0)])]
}
