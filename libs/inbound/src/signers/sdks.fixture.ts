/**
 * The platforms' own libraries, each as a verifier of requests; and where it can sign, as a signer.
 */
import { createHash } from 'node:crypto'
import { hmacValidator as HmacValidator } from '@adyen/api-library'
import { signRequest, verifyRequest } from '@contentful/node-apps-toolkit'
import { Signature as HubSpotSignature } from '@hubspot/api-client'
import { validateSignature as isOfLine } from '@line/bot-sdk'
import { LinearWebhookClient } from '@linear/sdk/webhooks'
import Mux from '@mux/mux-node'
import { BraintreeGateway, Environment } from 'braintree'
import { verifyKey } from 'discord-interactions'
import { AccessToken, WebhookReceiver } from 'livekit-server-sdk'
import { rawKey } from './keys.fixture.ts'
import { FORM, SOURCE_URL, type SignedRequest } from './signer.fixture.ts'
import { header, JSON_TYPE, type Sdk, texts } from './library-verifier.fixture.ts'
import { SDKS_FROM_O } from './sdks-from-o.fixture.ts'

function braintreeBy(privateKey: string): BraintreeGateway {
  return new BraintreeGateway({
    environment: Environment.Sandbox,
    merchantId: 'm',
    publicKey: 'integration_public_key',
    privateKey,
  })
}

const contentful = (sent: SignedRequest) => ({
  method: 'POST' as const,
  path: '/inbound/abcdefgh',
  headers: Object.fromEntries(
    Object.entries(texts(sent)).filter(([name]) => name.startsWith('x-contentful-')),
  ),
  body: sent.body,
})

export const SDKS: readonly Sdk[] = [
  {
    name: '@adyen/api-library',
    source: 'adyen',
    accepts: ({ body }, secret) =>
      new HmacValidator().validateHMAC(
        JSON.parse(body).notificationItems[0].NotificationRequestItem,
        secret,
      ),
    signs(body, secret) {
      const parsed = JSON.parse(body)
      const item = parsed.notificationItems[0].NotificationRequestItem
      item.additionalData = { hmacSignature: new HmacValidator().calculateHmac(item, secret) }
      return { body: JSON.stringify(parsed), headers: JSON_TYPE }
    },
  },
  {
    name: 'braintree',
    source: 'braintree',
    accepts: async ({ body }, secret) => {
      const form = new URLSearchParams(body)
      return await braintreeBy(secret).webhookNotification.parse(
        form.get('bt_signature') ?? '',
        form.get('bt_payload') ?? '',
      )
    },
    async signs(_, secret) {
      const sample = await braintreeBy(secret).webhookTesting.sampleNotification(
        'subscription_went_past_due',
        'my_id',
      )
      return {
        body: new URLSearchParams({ ...sample }).toString(),
        headers: { 'Content-Type': FORM },
      }
    },
  },
  {
    name: '@contentful/node-apps-toolkit',
    source: 'contentful',
    accepts: (sent, secret) => verifyRequest(secret, contentful(sent), 30),
    signs(body, secret, now) {
      const headers = { 'X-Contentful-Topic': 'ContentManagement.Entry.publish' }
      return {
        body,
        headers: {
          ...headers,
          ...signRequest(secret, { method: 'POST', path: '/inbound/abcdefgh', headers, body }, now),
        },
      }
    },
  },
  {
    name: 'discord-interactions',
    source: 'discord',
    accepts: (sent, key) =>
      verifyKey(
        sent.body,
        header(sent, 'X-Signature-Ed25519'),
        header(sent, 'X-Signature-Timestamp'),
        rawKey(key).toString('hex'),
      ),
  },
  {
    name: '@hubspot/api-client',
    source: 'hubspot',
    accepts: (sent, clientSecret) =>
      HubSpotSignature.isValid({
        clientSecret,
        signature: header(sent, 'X-HubSpot-Signature-v3'),
        requestBody: sent.body,
        signatureVersion: 'v3',
        url: sent.url ?? SOURCE_URL,
        method: 'POST',
        timestamp: Number(header(sent, 'X-HubSpot-Request-Timestamp')),
      }),
    signs(body, clientSecret, timestamp) {
      const signature = HubSpotSignature.getSignature('POST', 'v3', {
        clientSecret,
        signature: '',
        requestBody: body,
        url: SOURCE_URL,
        timestamp,
      })
      return {
        body,
        headers: {
          ...JSON_TYPE,
          'X-HubSpot-Signature-v3': signature,
          'X-HubSpot-Request-Timestamp': String(timestamp),
        },
      }
    },
  },
  {
    name: '@line/bot-sdk',
    source: 'line',
    accepts: (sent, secret) => isOfLine(sent.body, secret, header(sent, 'X-Line-Signature')),
  },
  {
    name: '@linear/sdk',
    source: 'linear',
    accepts: (sent, secret) =>
      new LinearWebhookClient(secret).verify(
        Buffer.from(sent.body),
        header(sent, 'Linear-Signature'),
        JSON.parse(sent.body).webhookTimestamp,
      ),
  },
  {
    name: 'livekit-server-sdk',
    source: 'livekit',
    accepts: (sent, secret) =>
      new WebhookReceiver('APIkey', secret).receive(sent.body, header(sent, 'Authorization')),
    async signs(body, secret) {
      const token = new AccessToken('APIkey', secret)
      token.sha256 = createHash('sha256').update(body).digest('base64')
      return {
        body,
        headers: { 'Content-Type': 'application/webhook+json', Authorization: await token.toJwt() },
      }
    },
  },
  {
    name: '@mux/mux-node',
    source: 'mux',
    accepts: (sent, secret) =>
      new Mux({ tokenId: 'a', tokenSecret: 'b' }).webhooks
        .verifySignature(sent.body, texts(sent), secret)
        .then(() => true),
  },
  ...SDKS_FROM_O,
]
