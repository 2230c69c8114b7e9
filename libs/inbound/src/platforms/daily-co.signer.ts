/** An independent signer of Daily.co, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'daily-co',
    header: 'X-Webhook-Signature',
    key: 'base64',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 's', header: 'X-Webhook-Timestamp', tolerance: 300 },
    body: {
      version: '1.0.0',
      type: 'recording.ready-to-download',
      id: 'rec-rtd-c3df927c-f738-4471-a2b7-066fa7e95a6b-1692124192',
      payload: {},
      event_ts: 1692124192,
    },
    type: 'recording.ready-to-download',
    id: 'rec-rtd-c3df927c-f738-4471-a2b7-066fa7e95a6b-1692124192',
  }),
  mac({
    source: 'daily-co',
    variant: 'in milliseconds',
    header: 'X-Webhook-Signature',
    key: 'base64',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `${t}.${body}`,
    time: { unit: 'ms', header: 'X-Webhook-Timestamp', tolerance: 300 },
    body: { type: 'meeting.started', id: 'mtg-1' },
    type: 'meeting.started',
    id: 'mtg-1',
  }),
]
