/** The preset of WebSub. */
import type { Preset } from '../preset.ts'
import { SECRET } from '../schemes/config-keys.ts'
import { HUB_CHALLENGE, hubSignature } from '../schemes/websub-hub.ts'

export const preset: Preset = {
  source: 'websub',
  name: 'WebSub',
  description: 'Any WebSub / PubSubHubbub hub delivering feed content.',
  mode: 'hmac',
  docs: 'https://www.w3.org/TR/websub/#signing-content',
  configKeys: [{ ...SECRET, meaning: 'The hub.secret of your subscription.' }],
  verify: {
    kind: 'any',
    of: (['sha1', 'sha256', 'sha384', 'sha512'] as const).map(hubSignature),
  },
  handshakes: [HUB_CHALLENGE],
  eventType: [],
  deliveryId: [],
  notes:
    'A hub’s question is answered for any topic. There is no type in a feed: give the inbound endpoint an eventTypeMapping when it sends JSON. A bad signature is answered with 401, though WebSub would have it accepted in silence.',
}
