/**
 * An independent signer of PayPal: the request names the address of a certificate with the key; the
 * signature covers a checksum of the body.
 */
import { crc32 } from 'node:zlib'
import { certificate, idOf, namesOf, signature } from '../signers/keys.fixture.ts'
import { commonFields, type Signer } from '../signers/signer.fixture.ts'

const certUrl = (name: string) => `https://api.paypal.com/v1/notifications/certs/CERT-${idOf(name)}`

const names = namesOf('rsa')

export const signers: readonly Signer[] = [
  {
    ...commonFields({
      source: 'paypal',
      body: {
        id: 'WH-0G2756385H040842W-5Y612302CV158622M',
        create_time: '2023-11-14T22:13:20Z',
        resource_type: 'sale',
        event_type: 'PAYMENT.SALE.COMPLETED',
        resource: {},
      },
      type: 'PAYMENT.SALE.COMPLETED',
      id: 'WH-0G2756385H040842W-5Y612302CV158622M',
    }),
    secrets: names,
    config: () => ({ webhook_id: '4JH86294D6297924G' }),
    sign({ body, now, shown, secret, touch }) {
      const [at, sentAt] = [now, shown].map((one) =>
        new Date(one).toISOString().replace('.000', ''),
      )
      const text = `dfb3be50-fd74-11e4-8bf3-77339302725b|${at}|4JH86294D6297924G|${crc32(body)}`
      return {
        body,
        headers: {
          'Content-Type': 'application/json',
          'PAYPAL-TRANSMISSION-ID': 'dfb3be50-fd74-11e4-8bf3-77339302725b',
          'PAYPAL-TRANSMISSION-TIME': sentAt as string,
          'PAYPAL-CERT-URL': certUrl(secret),
          'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
          'PAYPAL-TRANSMISSION-SIG': touch(signature('sha256', text, secret).toString('base64')),
        },
      }
    },
    covers: { body: true, timestamp: true },
    carriedIn: ['PAYPAL-TRANSMISSION-SIG'],
    toleranceSeconds: null,
    pinned: { webhook_id: '4JH86294D6297924G' },
    published: Object.fromEntries(
      names.map((name) => [
        certUrl(name),
        certificate(name, 'messageverificationcerts.paypal.com'),
      ]),
    ),
  },
]
