/** Requests of Resend that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'resend',
    from: 'svix-webhooks, javascript/src/webhook.test.ts',
    at: 1614265330000,
    credentials: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'svix-timestamp': '1614265330',
      'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  },
]
