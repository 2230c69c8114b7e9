/** Requests of Square that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'square',
    from: 'Square’s documents, sample server',
    credentials: { secret: 'asdf1234', webhook_url: 'https://example.com/webhook' },
    headers: { 'x-square-hmacsha256-signature': '2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=' },
    body: '{"hello":"world"}',
  },
  {
    source: 'square',
    from: 'square-python-sdk, tests/integration/test_webhooks_helper.py',
    credentials: {
      secret: 'Ibxx_5AKakO-3qeNVR61Dw',
      webhook_url: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
    },
    headers: { 'x-square-hmacsha256-signature': 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=' },
    body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
  },
]
