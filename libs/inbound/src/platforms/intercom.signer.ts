/** An independent signer of Intercom, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'intercom',
    header: 'X-Hub-Signature',
    digest: ['sha1', 'hex'],
    show: (s) => `sha1=${s}`,
    body: {
      type: 'notification_event',
      app_id: 'a86dr8yl',
      topic: 'conversation.user.created',
      id: 'notif_8b0e',
      data: {},
    },
    type: 'conversation.user.created',
    id: 'notif_8b0e',
  }),
]
