/** An independent signer of Prometheus Alertmanager, written from its documents. */
import { basic, namedHeader, type Signer, token } from '../signers/signer.fixture.ts'

const alerts = {
  version: '4',
  groupKey: '{}:{}',
  status: 'firing',
  receiver: 'r',
  alerts: [{ status: 'firing', fingerprint: 'c6ec' }],
}

export const signers: readonly Signer[] = [
  token({
    source: 'prometheus-alertmanager',
    header: 'Authorization',
    scheme: 'Bearer ',
    body: alerts,
    type: 'firing',
  }),
  basic({
    source: 'prometheus-alertmanager',
    variant: 'by password',
    body: alerts,
    type: 'firing',
  }),
  namedHeader({
    source: 'prometheus-alertmanager',
    variant: 'by header',
    body: alerts,
    type: 'firing',
  }),
]
