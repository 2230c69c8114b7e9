/** The preset of Snyk. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'snyk',
  name: 'Snyk',
  description: 'Snyk project_snapshot and ping webhooks signed in X-Hub-Signature.',
  mode: 'hmac',
  docs: 'https://docs.snyk.io/snyk-api/how-to-use-snyk-webhooks-apis/validation-and-versioning-of-payloads',
  configKeys: [SECRET],
  verify: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
  handshakes: [
    {
      signed: true,
      when: { method: 'POST', equals: [{ at: { header: 'X-Snyk-Event' }, text: 'ping/v0' }] },
      answer: { status: 200 },
    },
  ],
  eventType: ['$.headers.X-Snyk-Event'],
  deliveryId: ['$.headers.X-Snyk-Transport-ID'],
}
