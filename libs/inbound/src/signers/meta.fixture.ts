/** The handshakes of Meta's platforms. */
import type { Handshake } from './signer.fixture.ts'

/** Facebook's handshake, which Instagram, Messenger and WhatsApp share. */
export const META_QUESTIONS: readonly Handshake[] = [
  {
    of: 'the subscription',
    request: {
      method: 'GET',
      url: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=meatyhamhock',
      headers: {},
      body: '',
    },
    config: { secret: 's', verify_token: 'meatyhamhock' },
    answer: { status: 200, body: '1158201444' },
  },
  {
    of: 'a stranger',
    request: {
      method: 'GET',
      url: '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=guess',
      headers: {},
      body: '',
    },
    config: { secret: 's', verify_token: 'meatyhamhock' },
    answer: { status: 403 },
  },
]
