/** An independent signer of Datadog, written from its documents. */
import { basic, namedHeader, type Signer } from '../signers/signer.fixture.ts'

const monitor = {
  id: '2468',
  event_type: 'metric_alert_monitor',
  title: 'CPU high',
  last_updated: '1700000000000',
}

export const signers: readonly Signer[] = [
  namedHeader({ source: 'datadog', body: monitor, type: monitor.event_type, id: monitor.id }),
  basic({
    source: 'datadog',
    variant: 'by password',
    body: monitor,
    type: monitor.event_type,
    id: monitor.id,
  }),
]
