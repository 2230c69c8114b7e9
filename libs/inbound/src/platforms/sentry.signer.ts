/** An independent signer of Sentry, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const sentry = {
  action: 'created',
  installation: { uuid: 'a8e5d37a' },
  data: { issue: { id: '1170820242' } },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'sentry',
    header: 'Sentry-Hook-Signature',
    headers: {
      'Sentry-Hook-Resource': 'issue',
      'Sentry-Hook-Timestamp': '1700000000',
      'Request-ID': '4b2f',
    },
    body: sentry,
    type: 'issue.created',
  }),
  mac({
    source: 'sentry',
    variant: 'of an alert',
    header: 'Sentry-App-Signature',
    headers: { 'Sentry-Hook-Resource': 'event_alert', 'Request-ID': '4b2f' },
    body: sentry,
    type: 'event_alert.created',
  }),
]
