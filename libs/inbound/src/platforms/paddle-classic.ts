/**
 * Paddle Classic signs PHP's serialize() of the form's fields, sorted by name and without the
 * signature.
 */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'
import { sortedFields } from '../schemes/sorted-fields.ts'

export const preset: Preset = {
  source: 'paddle-classic',
  name: 'Paddle Classic',
  description:
    'Legacy Paddle alerts: RSA signature over the PHP-serialised, key-sorted form fields',
  mode: 'asymmetric',
  docs: 'https://classic.paddle.com/webhooks/verifying-webhooks/',
  configKeys: [{ ...PUBLIC_KEY, meaning: 'The public key under Developer Tools, as PEM.' }],
  verify: {
    kind: 'asymmetric',
    algorithm: 'rsa-sha1',
    encoding: 'base64',
    signature: { at: { form: 'p_signature' } },
    signed: 'the other form fields, sorted by name, as PHP’s serialize() writes them',
    content: paddleClassicContent,
    key: { config: 'public_key' },
  },
  eventType: ['$.alert_name'],
  deliveryId: ['$.alert_id'],
  accepted: { status: 200 },
  notes: 'For accounts that have Paddle Classic already. No time is checked.',
}

function paddleClassicContent(view: RequestView): string[] {
  // PHP keeps the last value of a name that comes twice.
  const fields = new Map(view.form())
  if (!fields.delete('p_signature')) return []
  const pairs = sortedFields(fields).map(([name, value]) => text(name) + text(value))
  return [`a:${fields.size}:{${pairs.join('')}}`]
}

function text(value: string): string {
  return `s:${Buffer.byteLength(value)}:"${value}";`
}
