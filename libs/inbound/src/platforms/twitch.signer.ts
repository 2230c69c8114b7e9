/** An independent signer of Twitch, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const twitch = {
  subscription: { id: 'f1c2', type: 'channel.follow', version: '2' },
  event: { user_id: '1' },
}

const twitchHeaders = {
  'Twitch-Eventsub-Message-Id': 'e76c6bd4-55c9-4987-8304-da1588d8988b',
  'Twitch-Eventsub-Subscription-Type': 'channel.follow',
}

export const signers: readonly Signer[] = [
  mac({
    source: 'twitch',
    header: 'Twitch-Eventsub-Message-Signature',
    headers: { ...twitchHeaders, 'Twitch-Eventsub-Message-Type': 'notification' },
    signed: (body, at) => `${twitchHeaders['Twitch-Eventsub-Message-Id']}${at}${body}`,
    show: (sig) => `sha256=${sig}`,
    time: { unit: 'iso', header: 'Twitch-Eventsub-Message-Timestamp', tolerance: 600 },
    body: twitch,
    type: 'channel.follow',
    id: twitchHeaders['Twitch-Eventsub-Message-Id'],
    handshakes: [
      {
        of: 'the callback',
        signed: true,
        request: {
          headers: { 'Twitch-Eventsub-Message-Type': 'webhook_callback_verification' },
          body: '{"challenge":"pogchamp-kappa-360noscope-vohiyo","subscription":{"id":"f1c2","type":"channel.follow"}}',
        },
        answer: { status: 200, body: 'pogchamp-kappa-360noscope-vohiyo' },
      },
    ],
  }),
]
