/** An independent signer of Metronome, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'metronome',
    header: 'Metronome-Webhook-Signature',
    signed: (body, t) => `${t}\n${body}`,
    time: { unit: 'http', header: 'X-Metronome-Date', tolerance: 300 },
    body: { id: 'b2c9e307', type: 'alerts.low_balance_reached', properties: {} },
    type: 'alerts.low_balance_reached',
    id: 'b2c9e307',
  }),
]
