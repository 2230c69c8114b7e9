/** An independent signer of Zoho Books / Billing, written from its documents. */
import { FORM, hmac, mac, type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  {
    ...mac({
      source: 'zoho-books',
      header: 'X-Zoho-Webhook-Signature',
      body: '{"created_date":"2019-03-06","event_id":"5675"}',
    }),
    covers: { body: true, url: 'query' },
    sign({ body, secret, touch }) {
      const signature = touch(hmac(secret, `namebasicsubscription_id90343${body}`))
      return {
        url: `${SOURCE_URL}?subscription_id=90343&name=basic`,
        body,
        headers: { 'Content-Type': 'application/json', 'X-Zoho-Webhook-Signature': signature },
      }
    },
  },
  {
    ...mac({
      source: 'zoho-books',
      variant: 'of a form',
      header: 'X-Zoho-Webhook-Signature',
      body: 'total=12%2E50&invoice=INV-1',
    }),
    covers: { body: true, url: 'query' },
    sign({ body, secret, touch }) {
      const signature = touch(hmac(secret, 'invoiceINV-1namebasictotal12.50'))
      return {
        url: `${SOURCE_URL}?name=basic`,
        body,
        headers: { 'Content-Type': FORM, 'X-Zoho-Webhook-Signature': signature },
      }
    },
  },
]
