/** The platform YouTube. */
import { youtubeEntry } from '../odd/youtube.ts'
import type { Preset } from '../preset.ts'
import { SECRET, VERIFY_TOKEN } from '../schemes/config-keys.ts'
import { HUB_CHALLENGE, hubSignature } from '../schemes/websub-hub.ts'

export const y: readonly Preset[] = [
  {
    source: 'youtube',
    name: 'YouTube (WebSub)',
    description: 'YouTube channel feed notifications over WebSub (PubSubHubbub).',
    mode: 'hmac',
    docs: 'https://developers.google.com/youtube/v3/guides/push_notifications',
    configKeys: [
      { ...SECRET, meaning: 'The hub.secret of your subscription.' },
      {
        ...VERIFY_TOKEN,
        meaning: 'The hub.verify_token of your subscription; compared when it is set.',
      },
    ],
    verify: hubSignature('sha1'),
    handshakes: [
      {
        ...HUB_CHALLENGE,
        when: {
          ...HUB_CHALLENGE.when,
          proof: { at: { query: 'hub.verify_token' }, config: 'verify_token', whenSet: true },
        },
      },
    ],
    unpack: youtubeEntry,
    eventType: ['$.kind'],
    deliveryId: ['{$.videoId}:{$.at}'],
    notes:
      'Subscribe with a hub.secret: without it nothing is signed, and all is refused. The event is the Atom entry as text; its type is updated or deleted. A bad signature is answered with 401, though WebSub would have it accepted in silence.',
  },
]
