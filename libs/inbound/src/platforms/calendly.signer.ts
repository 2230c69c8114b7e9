/** An independent signer of Calendly, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'calendly',
    header: 'Calendly-Webhook-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 180 },
    body: {
      event: 'invitee.created',
      created_at: '2023-11-14T22:13:20.000000Z',
      payload: { uri: 'https://api.calendly.com/scheduled_events/A/invitees/B' },
    },
    type: 'invitee.created',
    id: 'invitee.created:https://api.calendly.com/scheduled_events/A/invitees/B:2023-11-14T22:13:20.000000Z',
  }),
]
