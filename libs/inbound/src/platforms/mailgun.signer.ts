/** An independent signer of Mailgun, written from its documents. */
import { JSON_TYPE } from '../signers/bodies.fixture.ts'
import { FORM, hmac, secretsOf, type Signer } from '../signers/signer.fixture.ts'

const mailgunToken = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0'

export const signers: readonly Signer[] = [
  {
    source: 'mailgun',
    secrets: secretsOf('mailgun', 'utf8'),
    config: (secret) => ({ secret }),
    body: JSON.stringify({
      'event-data': { id: 'G9Bn5sl1TC6nu79C8C0bwg', event: 'opened', timestamp: 1529006854.329574 },
    }),
    sign({ body, now, shown, secret, touch }) {
      const [at, sentAt] = [now, shown].map((one) => String(Math.floor(one / 1000)))
      const signature = touch(hmac(secret, `${at}${mailgunToken}`))
      return {
        headers: JSON_TYPE,
        body: JSON.stringify({
          signature: { token: mailgunToken, timestamp: sentAt, signature },
          ...JSON.parse(body),
        }),
      }
    },
    covers: { body: mailgunToken, timestamp: true },
    carriedIn: [],
    toleranceSeconds: null,
    eventType: 'opened',
    deliveryId: 'G9Bn5sl1TC6nu79C8C0bwg',
  },
  {
    source: 'mailgun',
    variant: 'of a route',
    secrets: secretsOf('mailgun', 'utf8'),
    config: (secret) => ({ secret }),
    body: '',
    sign({ now, shown, secret, touch }) {
      const [at, sentAt] = [now, shown].map((one) => String(Math.floor(one / 1000)))
      const signature = touch(hmac(secret, `${at}${mailgunToken}`))
      const form = new URLSearchParams({
        recipient: 'a@example.com',
        timestamp: sentAt as string,
        token: mailgunToken,
        signature,
      })
      return { headers: { 'Content-Type': FORM }, body: form.toString() }
    },
    covers: { body: mailgunToken, timestamp: true },
    carriedIn: [],
    toleranceSeconds: null,
    eventType: null,
    deliveryId: mailgunToken,
  },
]
