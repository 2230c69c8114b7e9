/**
 * Poll delivery in the catalog. A poll needs the scope to write although it is a GET: it hides the
 * events that it returns from other consumers and uses up one of their attempts, which a read-only
 * key must not be able to do.
 */
import { mayInSubAccount } from './access.ts'
import { AckPolled, Acknowledged, Polled, PollQuery } from './polls.ts'
import { API, entry } from './route.ts'

export const pollRoutes = {
  pollEvents: entry({
    method: 'GET',
    path: `${API}/poll`,
    service: 'portal-api',
    access: mayInSubAccount('deliveries:write'),
    summary:
      'Fetch the oldest events of an endpoint in poll mode, or wait for some; each must be ' +
      'acknowledged within the visibility timeout',
    status: 200,
    waits: true,
    query: PollQuery,
    answer: Polled,
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
  }),
  ackPolled: entry({
    method: 'POST',
    path: `${API}/poll/ack`,
    service: 'portal-api',
    access: mayInSubAccount('deliveries:write'),
    // Deliveries have their own record.
    audit: null,
    summary: 'Acknowledge fetched events: they are delivered',
    status: 200,
    body: AckPolled,
    answer: Acknowledged,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    example: {
      endpoint_id: '01981f3a-7c00-7000-8000-000000000001',
      event_ids: ['01981f3a-7c00-7000-8000-000000000002'],
    },
  }),
}
