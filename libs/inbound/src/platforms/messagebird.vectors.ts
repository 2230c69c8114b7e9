/** Requests of MessageBird (Bird) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'messagebird',
    from: 'messagebird python-rest-api, webhook_signature_test_data.json',
    at: 1625479200000,
    credentials: {
      secret: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
      webhook_url: 'https://example.com/path?bar=1&foo=2',
    },
    headers: {
      'MessageBird-Signature-JWT':
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLCJqdGkiOiI5M2U1NTAwNi1hMGU4LTQ1MjYtYTE5MC1mYTVmZjAwZWExMTYiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3YzQ1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAiLCJwYXlsb2FkX2hhc2giOiJkZmZkNjAyMWJiMmJkNWIwYWY2NzYyOTA4MDllYzNhNTMxOTFkZDgxYzdmNzBhNGIyODY4OGEzNjIxODI5ODZmIn0._H--TOuYFLpeEH39-rg5E3IHVkjHozBcaKVWPRC5m9I',
    },
    body: 'Hello, World!',
  },
]
