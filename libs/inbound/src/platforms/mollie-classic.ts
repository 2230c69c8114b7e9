/** The preset of Mollie (classic). */
import type { Preset } from '../preset.ts'

export const preset: Preset = {
  source: 'mollie-classic',
  name: 'Mollie (classic)',
  description: 'Per-payment webhook calls that only carry a resource id; never signed',
  mode: 'none',
  docs: 'https://docs.mollie.com/reference/webhooks',
  configKeys: [],
  verify: { kind: 'none' },
  eventType: [],
  deliveryId: [],
  neverDeduplicated: true,
  accepted: { status: 200 },
  notes:
    'Nothing is signed, and a call says no more than the id of a payment: anybody who knows the URL can send one. Read the payment from Mollie’s API and believe only that. Repeats are not recognized, for each change of a payment is announced alike.',
}
