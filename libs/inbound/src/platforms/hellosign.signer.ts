/** An independent signer of Dropbox Sign (HelloSign), written from its documents. */
import { JSON_TYPE } from '../signers/bodies.fixture.ts'
import { hmac, secretsOf, type Signer } from '../signers/signer.fixture.ts'

const hellosignTime = (at: number) => String(Math.floor(at / 1000))

const hellosignFacts = {
  source: 'hellosign',
  secrets: secretsOf('hellosign', 'utf8'),
  config: (secret: string) => ({ secret }),
  body: '',
  covers: { body: 'signature_request_sent', timestamp: true as const },
  carriedIn: [],
  toleranceSeconds: null,
  eventType: 'signature_request_sent',
  deliveryId: null,
}

export const signers: readonly Signer[] = [
  { ...hellosignFacts, sign: (ask) => ({ headers: JSON_TYPE, body: hellosignEvent(ask) }) },
  {
    ...hellosignFacts,
    variant: 'in a form of parts',
    sign: (ask) => ({
      headers: { 'Content-Type': 'multipart/form-data; boundary=xYzZY' },
      body: `--xYzZY\r\nContent-Disposition: form-data; name="json"\r\n\r\n${hellosignEvent(ask)}\r\n--xYzZY--\r\n`,
    }),
  },
]

function hellosignBody(event: Record<string, string>): string {
  return JSON.stringify({ account_guid: '63522885f9261e2b04eea043933ee7313eb674fd', event })
}

function hellosignEvent({ now, shown, secret, touch }: Parameters<Signer['sign']>[0]): string {
  const event_hash = touch(hmac(secret, `${hellosignTime(now)}signature_request_sent`))
  return hellosignBody({
    event_time: hellosignTime(shown),
    event_type: 'signature_request_sent',
    event_hash,
  })
}
