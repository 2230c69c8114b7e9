/** An independent signer of PagerDuty, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const pagerduty = {
  event: {
    id: '01BZQ5Q1X3FZK7J6M1FCRF3FQJ',
    event_type: 'incident.triggered',
    resource_type: 'incident',
  },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'pagerduty',
    header: 'X-PagerDuty-Signature',
    show: (s) => `v1=00,v1=${s}`,
    headers: { 'x-webhook-subscription': 'P1' },
    body: pagerduty,
    type: pagerduty.event.event_type,
    id: pagerduty.event.id,
  }),
]
