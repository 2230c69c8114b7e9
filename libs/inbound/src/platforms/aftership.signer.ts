/** An independent signer of AfterShip, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const afterShip = {
  event: 'tracking_update',
  event_id: 'fd39f8a1-0e0a-4f1b-9a39-b0f7f3c1a1a1',
  msg: { id: 'trk1', tag: 'InTransit' },
  ts: 1700000000,
}

export const signers: readonly Signer[] = [
  mac({
    source: 'aftership',
    header: 'aftership-hmac-sha256',
    digest: ['sha256', 'base64'],
    body: afterShip,
    type: 'tracking_update',
    id: afterShip.event_id,
  }),
  mac({
    source: 'aftership',
    variant: 'returns',
    header: 'as-signature-hmac-sha256',
    digest: ['sha256', 'base64'],
    body: afterShip,
    type: 'tracking_update',
    id: afterShip.event_id,
  }),
  mac({
    source: 'aftership',
    variant: 'shipping',
    header: 'am-webhook-signature',
    digest: ['sha256', 'base64'],
    show: (s) => `hmac-sha256=${s}`,
    body: { event_id: 'e9', event_type: 'label.created' },
    type: 'label.created',
    id: 'e9',
  }),
]
