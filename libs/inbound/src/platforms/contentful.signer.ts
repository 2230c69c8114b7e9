/** An independent signer of Contentful, written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

const NAMES = 'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic'

export const signers: readonly Signer[] = [
  {
    ...mac({
      source: 'contentful',
      secrets: ['a1'.repeat(32), 'b2'.repeat(32)],
      header: 'x-contentful-signature',
      contentType: 'application/vnd.contentful.management.v1+json',
      body: { sys: { type: 'Entry', id: 'cat' }, fields: {} },
      type: 'ContentManagement.Entry.publish',
      time: { unit: 'ms', tolerance: 30 },
      coversUrl: true,
    }),
    sign({ body, now, shown, secret, touch }) {
      const signedHeaders = (time: number) => ({
        'x-contentful-signed-headers': NAMES,
        'x-contentful-timestamp': String(time),
        'x-contentful-topic': 'ContentManagement.Entry.publish',
      })
      const pairs = Object.entries(signedHeaders(now)).map(([name, value]) => `${name}:${value}`)
      const text = ['POST', '/inbound/abcdefgh', pairs.join(';'), body].join('\n')
      const type = 'application/vnd.contentful.management.v1+json'
      return {
        body,
        headers: {
          'Content-Type': type,
          ...signedHeaders(shown),
          'x-contentful-signature': touch(hmac(secret, text)),
        },
      }
    },
  },
]
