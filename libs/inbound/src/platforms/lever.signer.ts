/** An independent signer of Lever, written from its documents. */
import { JSON_TYPE } from '../signers/bodies.fixture.ts'
import { hmac, secretsOf, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  {
    source: 'lever',
    secrets: secretsOf('lever', 'utf8'),
    config: (secret) => ({ secret }),
    body: JSON.stringify({
      id: '0f4d3b2a-event',
      event: 'applicationCreated',
      triggeredAt: 0,
      token: '1f7a0b3c5d',
      signature: '',
      data: { applicationId: 'x' },
    }),
    sign({ body, now, shown, secret, touch }) {
      const signature = touch(hmac(secret, `1f7a0b3c5d${now}`))
      return {
        headers: JSON_TYPE,
        body: JSON.stringify({ ...JSON.parse(body), triggeredAt: shown, signature }),
      }
    },
    covers: { body: '1f7a0b3c5d', timestamp: true },
    carriedIn: [],
    toleranceSeconds: null,
    eventType: 'applicationCreated',
    deliveryId: '0f4d3b2a-event',
  },
]
