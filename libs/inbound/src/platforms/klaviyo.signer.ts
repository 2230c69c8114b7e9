/** An independent signer of Klaviyo, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'klaviyo',
    header: 'Klaviyo-Signature',
    signed: (body, t) => `${body}${t}`,
    time: { unit: 's', header: 'Klaviyo-Timestamp', tolerance: null },
    body: {
      data: [{ topic: 'event:klaviyo.sent_sms', external_id: '5Zq', payload: {} }],
      meta: { version: '1', timestamp: '2023-11-14T22:13:20Z' },
    },
    type: 'event:klaviyo.sent_sms',
    id: '5Zq',
  }),
]
