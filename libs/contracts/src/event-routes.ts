/** The routes of events. */
import { mayInSubAccount } from './access.ts'
import * as events from './events.ts'
import {
  API,
  entry,
  MAX_BATCH_BODY_BYTES,
  MAX_EVENT_BODY_BYTES,
  MAX_PAYLOAD_VALUES,
} from './route.ts'

// oxlint-disable-next-line max-lines-per-function -- a table of routes
export function eventRoutes(brand: string) {
  const { CreateEvent, CreateBatch, EditEvent } = events.eventSchemas(brand)
  return {
    createEvent: entry({
      method: 'POST',
      path: `${API}/events`,
      service: 'ingest-api',
      access: mayInSubAccount('events:write'),
      // Events have their own record.
      audit: null,
      summary: 'Accept an event, for one destination or for every endpoint subscribed to its type',
      status: 201,
      hot: true,
      body: CreateEvent,
      answer: events.EventCreated,
      errors: ['CONFLICT', 'DESTINATION_BLOCKED', 'VALIDATION_ERROR', 'QUOTA_EXCEEDED'],
      maxBodyBytes: MAX_EVENT_BODY_BYTES,
      maxBodyValues: MAX_PAYLOAD_VALUES,
      headers: [
        {
          name: 'X-Idempotency-Key',
          required: true,
          meaning: '1 to 255 printable ASCII characters; the same key again answers 409',
          // Spaces around a header's value are not part of it.
          pattern:
            '^(?!inbound:|service\\.|test:)[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$',
        },
      ],
      example: { eventType: 'order.paid', payload: { orderId: 'o_1', amount: 1250 } },
    }),
    createBatch: entry({
      method: 'POST',
      path: `${API}/events/batch`,
      service: 'ingest-api',
      access: mayInSubAccount('events:write'),
      // Events have their own record.
      audit: null,
      summary: 'Accept up to 100 direct events, all or none',
      status: 201,
      hot: true,
      body: CreateBatch,
      answer: events.BatchCreated,
      errors: ['BATCH_TOO_LARGE', 'DUPLICATE_EVENT', 'DESTINATION_BLOCKED', 'QUOTA_EXCEEDED'],
      maxBodyBytes: MAX_BATCH_BODY_BYTES,
      invalidBody: 'VALIDATION_ERROR',
      example: {
        events: [
          { idempotencyKey: 'k-1', destination: 'https://example.com/hook', payload: { n: 1 } },
        ],
      },
    }),
    retryBatch: entry({
      method: 'POST',
      path: `${API}/events/batch/retry`,
      service: 'ingest-api',
      access: mayInSubAccount('events:write'),
      audit: 'event.replay_batch',
      summary: 'Replay many events: by ids, by status, or by endpoint',
      status: 200,
      body: events.RetryBatch,
      answer: events.BatchRetried,
      example: { status: 'dead', limit: 100 },
    }),
    listEvents: entry({
      method: 'GET',
      path: `${API}/events`,
      service: 'ingest-api',
      access: mayInSubAccount('events:read'),
      summary: 'List events, newest first',
      status: 200,
      query: events.EventListQuery,
      answer: events.EventPage,
    }),
    getEvent: entry({
      method: 'GET',
      path: `${API}/events/:eventId`,
      service: 'ingest-api',
      access: mayInSubAccount('events:read'),
      summary: 'One event with its attempts',
      status: 200,
      answer: events.EventDetail,
    }),
    editEvent: entry({
      method: 'PATCH',
      path: `${API}/events/:eventId`,
      service: 'ingest-api',
      access: mayInSubAccount('events:write'),
      audit: 'event.update',
      summary:
        'Edit a failed or dead event, and replay it on request; as with a replay, 409 beyond ' +
        '30,000 attempts, and while retention removes it',
      status: 200,
      body: EditEvent,
      answer: events.EventDetail,
      errors: ['INVALID_STATE', 'DESTINATION_BLOCKED', 'VALIDATION_ERROR'],
      maxBodyBytes: MAX_EVENT_BODY_BYTES,
      maxBodyValues: MAX_PAYLOAD_VALUES,
      example: { payload: { orderId: 'o_1', amount: 1300 }, replay: true },
    }),
    replayEvent: entry({
      method: 'POST',
      path: `${API}/events/:eventId/replay`,
      service: 'ingest-api',
      access: mayInSubAccount('events:write'),
      audit: 'event.replay',
      summary:
        'Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts ' +
        'of one over all replays, and while retention removes the event',
      status: 200,
      answer: events.EventDetail,
      errors: ['INVALID_STATE'],
    }),
  }
}
