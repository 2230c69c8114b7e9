/** The preset of Telegram. */
import type { Preset } from '../preset.ts'
import { SHARED_SECRET } from '../schemes/config-keys.ts'
import { noneOf, withKind } from '../schemes/member-named.ts'

export const preset: Preset = {
  source: 'telegram',
  name: 'Telegram',
  description: 'Telegram Bot API updates delivered to a setWebhook URL.',
  mode: 'token',
  docs: 'https://core.telegram.org/bots/api#setwebhook',
  configKeys: [
    {
      ...SHARED_SECRET,
      meaning: 'The secret_token that you gave setWebhook: 1 to 256 of A-Z, a-z, 0-9, _ and -.',
    },
  ],
  verify: { kind: 'token', at: { header: 'X-Telegram-Bot-Api-Secret-Token' }, config: 'secret' },
  unpack: (document) => withKind(document, noneOf('update_id')),
  eventType: ['$.kind'],
  deliveryId: ['$.update_id'],
}
