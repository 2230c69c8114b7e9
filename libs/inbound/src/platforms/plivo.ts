/**
 * Plivo's signature V3 covers the URL with its query in order, the form's fields in order, and a
 * nonce, joined by dots.
 */
import type { Preset } from '../preset.ts'
import type { HmacRule } from '../verification-rules.ts'
import type { RequestView } from '../request-view.ts'
import { calledUrl } from '../schemes/called-url.ts'
import { WEBHOOK_URL } from '../schemes/config-keys.ts'
import { glued, sortedFields } from '../schemes/sorted-fields.ts'

export const preset: Preset = {
  source: 'plivo',
  name: 'Plivo',
  description: 'Plivo voice and messaging callbacks (signature V3).',
  mode: 'provider_specific',
  docs: 'https://www.plivo.com/docs/voice/concepts/signature-validation',
  configKeys: [
    {
      name: 'auth_token',
      secret: true,
      required: true,
      meaning: 'The auth token of the account, or of the subaccount.',
    },
    WEBHOOK_URL,
  ],
  verify: {
    kind: 'any',
    of: [plivoSignature('X-Plivo-Signature-V3'), plivoSignature('X-Plivo-Signature-Ma-V3')],
  },
  eventType: ['$.Event', '$.CallStatus', '$.Status'],
  deliveryId: [],
  accepted: { status: 200, type: 'text/xml', body: '<Response/>' },
  notes:
    'Calls get an empty Response as their answer, which ends them: give Plivo the inbound endpoint for its status callbacks. The older signature V2 is not checked.',
}

/** The signature is made with the token of the subaccount, or with the main account's. */
function plivoSignature(header: string): HmacRule {
  return {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { at: { header }, format: { kind: 'list', separator: ',' } },
    signed:
      '{url} with its query sorted, the form fields sorted, and {header:X-Plivo-Signature-V3-Nonce}',
    content: plivoContent,
    key: { config: 'auth_token' },
  }
}

function plivoContent(view: RequestView): string[] {
  const nonce = view.header('X-Plivo-Signature-V3-Nonce')
  const form = view.form()
  const isSomethingElse = form.size === 0 && view.request.body.length > 0
  if (nonce === undefined || isSomethingElse) return []
  const { base, search } = calledUrl(view)
  const query = sortedFields(new URLSearchParams(search))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  // Plivo's library writes the question mark even without a query where there are fields, and the
  // dot only with a query.
  const mark = query !== '' || form.size > 0 ? '?' : ''
  const dot = query !== '' && form.size > 0 ? '.' : ''
  return [`${base}${mark}${query}${dot}${glued(sortedFields(form))}.${nonce}`]
}
