/** An independent signer of Zoom, written from its documents. */
import { type Handshake, hmac, mac, type Signer } from '../signers/signer.fixture.ts'

/**
 * Zoom's handshake is answered only when it is signed: otherwise anybody could have a text signed.
 */
const zoom: Handshake = {
  of: 'the URL',
  signed: true,
  request: {
    headers: {},
    body: '{"payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680,"event":"endpoint.url_validation"}',
  },
  config: { secret: 'zoom-token' },
  answer: {
    status: 200,
    body: JSON.stringify({
      plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
      encryptedToken: hmac('zoom-token', 'qgg8vlvZRS6UYooatFL8Aw'),
    }),
  },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'zoom',
    header: 'x-zm-signature',
    signed: (body, t) => `v0:${t}:${body}`,
    show: (s) => `v0=${s}`,
    time: { unit: 's', header: 'x-zm-request-timestamp', tolerance: 300 },
    body: { event: 'meeting.started', event_ts: 1700000000000, payload: { account_id: 'a' } },
    type: 'meeting.started',
    handshakes: [zoom],
  }),
]
