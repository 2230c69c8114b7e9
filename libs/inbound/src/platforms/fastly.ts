/** The preset of Fastly Next-Gen WAF. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'fastly',
  name: 'Fastly Next-Gen WAF',
  description:
    "Fastly Next-Gen WAF (Signal Sciences) generic webhook alerts signed with the integration's key.",
  mode: 'hmac',
  docs: 'https://www.fastly.com/documentation/guides/next-gen-waf/integrations/generic-webhooks/',
  configKeys: [SECRET],
  verify: bodyHmac('X-SigSci-Signature'),
  eventType: ['$.type'],
  deliveryId: [],
  notes: 'For the Next-Gen WAF. Log streaming is another product: it is not signed and is refused.',
}
