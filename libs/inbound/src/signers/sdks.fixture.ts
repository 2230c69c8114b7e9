/**
 * The platforms' own libraries, each as a verifier of requests; and where it can sign, as a signer.
 */
import '@shopify/shopify-api/adapters/node'
import { createHash } from 'node:crypto'
import { hmacValidator as HmacValidator } from '@adyen/api-library'
import { signRequest, verifyRequest } from '@contentful/node-apps-toolkit'
import { Signature as HubSpotSignature } from '@hubspot/api-client'
import { validateSignature as isOfLine } from '@line/bot-sdk'
import { LinearWebhookClient } from '@linear/sdk/webhooks'
import Mux from '@mux/mux-node'
import * as octokit from '@octokit/webhooks-methods'
import { Paddle } from '@paddle/paddle-node-sdk'
import { encodeSignatureHeader, isValidSignature } from '@sanity/webhook'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { ApiVersion, shopifyApi } from '@shopify/shopify-api'
import { verifySlackRequest } from '@slack/bolt'
import { WorkOS } from '@workos-inc/node'
import { BraintreeGateway, Environment } from 'braintree'
import { verifyKey } from 'discord-interactions'
import { AccessToken, WebhookReceiver } from 'livekit-server-sdk'
import OpenAI from 'openai'
import Razorpay from 'razorpay'
import { WebhooksHelper } from 'square'
import * as standard from 'standardwebhooks'
import Stripe from 'stripe'
import * as svix from 'svix'
import twilio from 'twilio'
import { rawKey, spki } from './keys.fixture.ts'
import { FORM, SOURCE_URL, type SignedRequest } from './signer.fixture.ts'

export interface Sdk {
  readonly name: string
  readonly source: string
  readonly variant?: string
  /** @throws or returns false for a request that it refuses */
  accepts(sent: SignedRequest, secret: string): unknown
  signs?(body: string, secret: string, now: number): SignedRequest | Promise<SignedRequest>
}

function header({ headers }: SignedRequest, name: string): string {
  return String(headers[name] ?? '')
}

function texts({ headers }: SignedRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const seconds = (now: number) => Math.floor(now / 1000)

/** Svix and Standard Webhooks have the same interface. */
function messages(
  prefix: string,
  Webhook: typeof standard.Webhook | typeof svix.Webhook,
): Pick<Sdk, 'accepts' | 'signs'> {
  return {
    accepts(sent, secret) {
      new Webhook(secret).verify(sent.body, texts(sent))
      return true
    },
    signs(body, secret, now) {
      const at = new Date(seconds(now) * 1000)
      const signature = new Webhook(secret).sign('msg_1', at, body)
      return {
        body,
        headers: {
          ...JSON_TYPE,
          [`${prefix}-id`]: 'msg_1',
          [`${prefix}-timestamp`]: String(seconds(now)),
          [`${prefix}-signature`]: signature,
        },
      }
    },
  }
}

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

function shopifyBy(apiSecretKey: string) {
  return shopifyApi({
    apiKey: 'k',
    apiSecretKey,
    apiVersion: Object.values(ApiVersion).at(-1) as ApiVersion,
    isEmbeddedApp: false,
    hostName: 'app.example.com',
    scopes: [],
    logger: { log: () => {} },
  })
}

const workos = new WorkOS('sk_test_1')

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
  {
    name: '@octokit/webhooks-methods',
    source: 'github',
    accepts: (sent, secret) =>
      octokit.verify(secret, sent.body, header(sent, 'X-Hub-Signature-256')),
    signs: async (body, secret) => ({
      body,
      headers: { ...JSON_TYPE, 'X-Hub-Signature-256': await octokit.sign(secret, body) },
    }),
  },
  ...[undefined, 'with a secret of letters'].map(
    (variant): Sdk => ({
      name: 'openai',
      source: 'openai',
      ...(variant === undefined ? {} : { variant }),
      accepts: (sent, secret) =>
        new OpenAI({ apiKey: 'x' }).webhooks
          .verifySignature(sent.body, texts(sent), secret)
          .then(() => true),
    }),
  ),
  {
    name: '@paddle/paddle-node-sdk',
    source: 'paddle',
    accepts: (sent, secret) =>
      new Paddle('key').webhooks.isSignatureValid(
        sent.body,
        secret,
        header(sent, 'Paddle-Signature'),
      ),
  },
  {
    name: 'razorpay',
    source: 'razorpay',
    accepts: (sent, secret) =>
      Razorpay.validateWebhookSignature(sent.body, header(sent, 'X-Razorpay-Signature'), secret),
  },
  {
    name: '@sanity/webhook',
    source: 'sanity',
    accepts: (sent, secret) =>
      isValidSignature(sent.body, header(sent, 'sanity-webhook-signature'), secret),
    signs: async (body, secret, now) => ({
      body,
      headers: {
        ...JSON_TYPE,
        'sanity-webhook-signature': await encodeSignatureHeader(body, now, secret),
      },
    }),
  },
  {
    name: '@sendgrid/eventwebhook',
    source: 'sendgrid',
    accepts(sent, key) {
      const webhook = new EventWebhook()
      const [signature, timestamp] = ['Signature', 'Timestamp'].map((name) =>
        header(sent, `X-Twilio-Email-Event-Webhook-${name}`),
      ) as [string, string]
      return webhook.verifySignature(
        webhook.convertPublicKeyToECDSA(spki(key)),
        sent.body,
        signature,
        timestamp,
      )
    },
  },
  {
    name: '@shopify/shopify-api',
    source: 'shopify',
    accepts: async (sent, secret) => {
      const rawRequest = {
        method: 'POST',
        url: '/inbound/abcdefgh',
        headers: { ...texts(sent), 'x-shopify-api-version': '2025-01' },
      }
      const { valid } = await shopifyBy(secret).webhooks.validate({
        rawBody: sent.body,
        rawRequest,
      })
      return valid
    },
  },
  {
    name: '@slack/bolt',
    source: 'slack',
    accepts(sent, signingSecret) {
      const headers = {
        'x-slack-signature': header(sent, 'X-Slack-Signature'),
        'x-slack-request-timestamp': Number(header(sent, 'X-Slack-Request-Timestamp')),
      }
      verifySlackRequest({ signingSecret, body: sent.body, headers })
      return true
    },
  },
  {
    name: 'square',
    source: 'square',
    accepts: (sent, signatureKey) =>
      WebhooksHelper.verifySignature({
        requestBody: sent.body,
        signatureHeader: header(sent, 'x-square-hmacsha256-signature'),
        signatureKey,
        notificationUrl: SOURCE_URL,
      }),
  },
  {
    name: 'standardwebhooks',
    source: 'standard-webhooks',
    ...messages('webhook', standard.Webhook),
  },
  {
    name: 'stripe',
    source: 'stripe',
    accepts: (sent, secret) =>
      Stripe.webhooks.constructEvent(sent.body, header(sent, 'Stripe-Signature'), secret),
    signs: (payload, secret, now) => ({
      body: payload,
      headers: {
        ...JSON_TYPE,
        'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({
          payload,
          secret,
          timestamp: seconds(now),
        }),
      },
    }),
  },
  { name: 'svix', source: 'svix', ...messages('svix', svix.Webhook) },
  {
    name: 'twilio',
    source: 'twilio',
    accepts: (sent, secret) =>
      twilio.validateRequest(
        secret,
        header(sent, 'X-Twilio-Signature'),
        sent.url ?? SOURCE_URL,
        fields(sent.body),
      ),
    signs: (body, secret) => ({
      body,
      headers: {
        'Content-Type': FORM,
        'X-Twilio-Signature': twilio.getExpectedTwilioSignature(secret, SOURCE_URL, fields(body)),
      },
    }),
  },
  {
    name: 'twilio',
    source: 'twilio',
    variant: 'of JSON',
    accepts: (sent, secret) =>
      twilio.validateRequestWithBody(
        secret,
        header(sent, 'X-Twilio-Signature'),
        sent.url ?? SOURCE_URL,
        sent.body,
      ),
  },
  {
    name: '@workos-inc/node',
    source: 'workos',
    accepts: (sent, secret) =>
      workos.webhooks.constructEvent({
        payload: JSON.parse(sent.body),
        sigHeader: header(sent, 'WorkOS-Signature'),
        secret,
      }),
    async signs(body, secret, now) {
      const signature = await workos.webhooks.computeSignature(now, JSON.parse(body), secret)
      return { body, headers: { ...JSON_TYPE, 'WorkOS-Signature': `t=${now}, v1=${signature}` } }
    },
  },
]

function fields(body: string): Record<string, string | string[]> {
  const form = new URLSearchParams(body)
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      // An array of this realm, which the library compares its own with.
      const values = [...form.getAll(name)]
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}
