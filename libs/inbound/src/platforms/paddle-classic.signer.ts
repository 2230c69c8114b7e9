/** An independent signer of Paddle Classic, written from its documents. */
import { FORM_TYPE } from '../signers/forms.fixture.ts'
import { namesOf, pem, signature } from '../signers/keys.fixture.ts'
import { commonFields, type Signer } from '../signers/signer.fixture.ts'

const alert =
  'alert_id=1&alert_name=payment_succeeded&balance_gross=9.99&customer_name=J%C3%BCrgen&event_time=2023-11-14+22%3A13%3A20'

export const signers: readonly Signer[] = [
  {
    ...commonFields({ source: 'paddle-classic', body: alert, type: 'payment_succeeded', id: '1' }),
    secrets: namesOf('rsa'),
    config: (name) => ({ public_key: pem(name) }),
    sign({ body, secret, touch }) {
      const fields = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1))
      const quoted = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`
      const text = `a:${fields.length}:{${fields.map(([name, value]) => quoted(name) + quoted(value)).join('')}}`
      const sealed = touch(signature('sha1', text, secret).toString('base64'))
      return { body: `${body}&p_signature=${encodeURIComponent(sealed)}`, headers: FORM_TYPE }
    },
    covers: { body: '9.99' },
    carriedIn: [],
  },
]
