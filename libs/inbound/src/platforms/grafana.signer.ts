/** An independent signer of Grafana Alerting, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const firing = {
  receiver: 'posthorn',
  status: 'firing',
  alerts: [{ status: 'firing', fingerprint: 'c6ec' }],
  groupKey: '{}:{}',
}

export const signers: readonly Signer[] = [
  mac({ source: 'grafana', header: 'X-Grafana-Alerting-Signature', body: firing, type: 'firing' }),
  mac({
    source: 'grafana',
    variant: 'by another header',
    header: 'X-Ours',
    config: { header_name: 'X-Ours' },
    body: firing,
    type: 'firing',
  }),
  mac({
    source: 'grafana',
    variant: 'with a time',
    header: 'X-Grafana-Alerting-Signature',
    config: { timestamp_header: 'X-Time' },
    signed: (body, t) => `${t}:${body}`,
    time: { unit: 's', header: 'X-Time', tolerance: null },
    body: firing,
    type: 'firing',
  }),
]
