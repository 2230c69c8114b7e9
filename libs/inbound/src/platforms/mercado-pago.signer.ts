/** An independent signer of Mercado Pago, written from its documents. */
import {
  commonFields,
  hmac,
  secretsOf,
  type Signer,
  SOURCE_URL,
} from '../signers/signer.fixture.ts'

const payment = {
  action: 'payment.updated',
  api_version: 'v1',
  data: { id: 'ABC123' },
  id: 12345,
  live_mode: true,
  type: 'payment',
}

export const signers: readonly Signer[] = [
  { id: 'ABC123', signs: 'abc123' },
  { variant: 'as it was received', id: 'ABC123', signs: 'ABC123' },
].map(({ variant, id, signs }) => ({
  ...commonFields({
    source: 'mercado-pago',
    body: payment,
    type: 'payment.updated',
    id: '12345',
    ...(variant ? { variant } : {}),
  }),
  secrets: secretsOf('mercado-pago', 'utf8'),
  config: (secret: string) => ({ secret }),
  sign({ body, now, shown, secret, touch }) {
    const sealed = touch(
      hmac(secret, `id:${signs};request-id:bb56a2f1;ts:${Math.floor(now / 1000)};`),
    )
    const headers = {
      'Content-Type': 'application/json',
      'x-request-id': 'bb56a2f1',
      'x-signature': `ts=${Math.floor(shown / 1000)},v1=${sealed}`,
    }
    return { url: `${SOURCE_URL}?data.id=${id}&type=payment`, body, headers }
  },
  covers: { body: false, url: ['data.id'], timestamp: true },
  carriedIn: ['x-signature'],
  toleranceSeconds: 300,
}))
