/** An independent signer of dbt Cloud, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'dbt-cloud',
    header: 'Authorization',
    body: {
      accountId: 1,
      eventId: 'wev_2L6m5BggBw9uPNuSmtg4MUiW4Re',
      timestamp: '2023-11-14T22:13:20Z',
      eventType: 'job.run.completed',
      data: { runId: '12345' },
    },
    type: 'job.run.completed',
    id: 'wev_2L6m5BggBw9uPNuSmtg4MUiW4Re',
  }),
]
