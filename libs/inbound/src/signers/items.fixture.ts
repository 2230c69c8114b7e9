/** Platforms whose signature is part of what they send, over some fields of it. */
import { FORM, hmac, withTextAt, SOURCE_URL, type Signer, secretsOf } from './signer.fixture.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

const item = {
  pspReference: '7914073381342284',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  success: 'true',
  paymentMethod: 'visa',
}

export const adyen: Signer = {
  source: 'adyen',
  secrets: secretsOf('adyen', 'hex'),
  config: (secret) => ({ secret }),
  body: JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }),
  sign({ body, secret, touch }) {
    const text =
      '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true'
    const signature = touch(hmac(Buffer.from(secret, 'hex'), text, ['sha256', 'base64']))
    const at = ['notificationItems', '0', 'NotificationRequestItem', 'additionalData']
    return {
      headers: JSON_TYPE,
      body: JSON.stringify(withTextAt(JSON.parse(body), at, { hmacSignature: signature })),
    }
  },
  covers: { body: 'EUR' },
  carriedIn: [],
  eventType: 'AUTHORISATION',
  deliveryId: '7914073381342284:AUTHORISATION:true',
}

export const lever: Signer = {
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
}

const mailgunToken = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0'
export const mailgun: readonly Signer[] = [
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

const hellosignTime = (at: number) => String(Math.floor(at / 1000))
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
export const hellosign: readonly Signer[] = [
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

export const pandadoc: Signer = {
  source: 'pandadoc',
  secrets: secretsOf('pandadoc', 'utf8'),
  config: (secret) => ({ secret }),
  body: JSON.stringify([
    {
      event: 'document_state_changed',
      data: { id: 'msFYActMfJHqNTKH8YSvF1', status: 'document.sent' },
    },
  ]),
  sign: ({ body, secret, touch }) => ({
    url: `${SOURCE_URL}?signature=${touch(hmac(secret, body))}`,
    headers: JSON_TYPE,
    body,
  }),
  covers: { body: true },
  carriedIn: [],
  eventType: 'document_state_changed',
  deliveryId: null,
}
