/** The preset of npm registry hooks. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
  source: 'npm',
  name: 'npm registry hooks',
  description: "npm package hook notifications signed with the hook's shared secret.",
  mode: 'hmac',
  docs: 'https://github.com/npm/npm-hook-receiver',
  configKeys: [SECRET],
  verify: bodyHmac('x-npm-signature', { prefix: 'sha256=' }),
  eventType: ['$.event'],
  deliveryId: [],
  notes: 'Hooks seem to be withdrawn: npm’s command line no longer has them.',
}
