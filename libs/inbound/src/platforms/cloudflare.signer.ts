/** An independent signer of Cloudflare Notifications, written from its documents. */
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'cloudflare',
    header: 'cf-webhook-auth',
    body: {
      name: 'n',
      text: 't',
      data: {},
      ts: 1700000000,
      account_id: 'a',
      policy_id: 'p',
      policy_name: 'P',
      alert_type: 'universal_ssl_event_type',
      alert_correlation_id: 'c',
      alert_event: 'ALERT_STATE_EVENT_START',
    },
    type: 'universal_ssl_event_type',
  }),
]
