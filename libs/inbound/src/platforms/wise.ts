/** The preset of Wise. */
import type { Preset } from '../preset.ts'
import type { AsymmetricRule, PublicKeyAt } from '../verification-rules.ts'
import { PUBLIC_KEY } from '../schemes/config-keys.ts'

/** The key as Wise's documents show it. */
const WISE_PRODUCTION = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvO8vXV+JksBzZAY6GhSO
XdoTCfhXaaiZ+qAbtaDBiu2AGkGVpmEygFmWP4Li9m5+Ni85BhVvZOodM9epgW3F
bA5Q1SexvAF1PPjX4JpMstak/QhAgl1qMSqEevL8cmUeTgcMuVWCJmlge9h7B1CS
D4rtlimGZozG39rUBDg6Qt2K+P4wBfLblL0k4C4YUdLnpGYEDIth+i8XsRpFlogx
CAFyH9+knYsDbR43UJ9shtc42Ybd40Afihj8KnYKXzchyQ42aC8aZ/h5hyZ28yVy
Oj3Vos0VdBIs/gAyJ/4yyQFCXYte64I7ssrlbGRaco4nKF3HmaNhxwyKyJafz19e
HwIDAQAB
-----END PUBLIC KEY-----`

export const preset: Preset = {
  source: 'wise',
  name: 'Wise',
  description:
    'Transfer and balance events with an RSA signature over the raw body; Wise publishes the key',
  mode: 'asymmetric',
  docs: 'https://docs.wise.com/guides/developer/webhooks/event-handling',
  configKeys: [
    {
      name: 'environment',
      secret: false,
      required: false,
      values: ['production', 'sandbox'],
      meaning: 'Of Wise. Default: production. For the sandbox, set its public_key.',
    },
    {
      ...PUBLIC_KEY,
      required: false,
      meaning: 'In place of the built-in key of production: the sandbox’s, or a new one.',
    },
  ],
  verify: {
    kind: 'any',
    of: [
      wiseSignature({ config: 'public_key' }, ['public_key']),
      wiseSignature({ pem: WISE_PRODUCTION }, ['!public_key', 'environment?=production']),
    ],
  },
  handshakes: [
    {
      signed: true,
      when: { method: 'POST', equals: [{ at: { header: 'X-Test-Notification' }, text: 'true' }] },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.event_type'],
  deliveryId: ['$.headers.X-Delivery-Id'],
  notes:
    'The key is the same for all customers: the signature tells that Wise sent it, not for whom. Wise takes no URLs with a query.',
}

function wiseSignature(key: PublicKeyAt, needs: readonly string[]): AsymmetricRule {
  return {
    kind: 'asymmetric',
    algorithm: 'rsa-sha256',
    encoding: 'base64',
    signature: { at: { header: 'X-Signature-SHA256' } },
    signed: '{body}',
    key,
    needs,
  }
}
