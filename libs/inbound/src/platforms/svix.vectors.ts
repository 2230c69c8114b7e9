/** Requests of Svix that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'svix',
    from: 'svix-webhooks, rust/src/webhooks.rs',
    at: 1649367553000,
    credentials: { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    headers: {
      'svix-id': 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      'svix-timestamp': '1649367553',
      'svix-signature': 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    },
    body: '{"email":"test@example.com","username":"test_user"}',
  },
]
