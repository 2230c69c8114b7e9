/** An independent signer of Plivo, written from its documents. */
import { signedForm } from '../signers/forms.fixture.ts'
import { WHILE_ROTATED, OTHER_BASE64 } from '../signers/rotation.fixture.ts'
import { hmac, mac, type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

const plivoBody = 'CallUUID=97ceeb52&CallStatus=completed&From=14158675309&Event=Hangup'

const NONCE = '12345678901234567890'

export const signers: readonly Signer[] = [
  ...[
    { name: undefined, query: '', text: (fields: string) => `${SOURCE_URL}?${fields}.${NONCE}` },
    {
      name: 'with a query',
      query: '?foo=2&bar=1',
      text: (fields: string) => `${SOURCE_URL}?bar=1&foo=2.${fields}.${NONCE}`,
    },
  ].flatMap(({ name, query, text }) =>
    ['X-Plivo-Signature-V3', 'X-Plivo-Signature-Ma-V3'].map((header) => {
      const variants = [name, header.includes('Ma') ? 'of the main account' : undefined].filter(
        (one) => one !== undefined,
      )
      return signedForm({
        source: 'plivo',
        url: `${SOURCE_URL}${query}`,
        secretIn: 'auth_token',
        header,
        headers: { 'X-Plivo-Signature-V3-Nonce': NONCE },
        digest: ['sha256', 'base64'],
        body: plivoBody,
        text,
        type: 'Hangup',
        ...(variants.length > 0 ? { variant: variants.join(', ') } : {}),
      })
    }),
  ),
  plivo(),
]

function plivo(): Signer {
  const base = mac({
    source: 'plivo',
    variant: WHILE_ROTATED,
    secretIn: 'auth_token',
    header: 'X-Plivo-Signature-V3',
    body: 'CallUUID=97ceeb52&Event=Hangup',
    type: 'Hangup',
    coversUrl: true,
  })
  return {
    ...base,
    sign({ body, secret, touch }) {
      const text = 'https://hooks.example.com/inbound/abcdefgh?CallUUID97ceeb52EventHangup.1234'
      const own = touch(hmac(secret, text, ['sha256', 'base64']))
      const type = 'application/x-www-form-urlencoded'
      return {
        body,
        headers: {
          'Content-Type': type,
          'X-Plivo-Signature-V3-Nonce': '1234',
          'X-Plivo-Signature-V3': `${OTHER_BASE64},${own}`,
        },
      }
    },
  }
}
