/** The second half of `sdks.fixture.ts`: the platforms' own libraries from Octokit's on. */
import '@shopify/shopify-api/adapters/node'
import * as octokit from '@octokit/webhooks-methods'
import { Paddle } from '@paddle/paddle-node-sdk'
import { encodeSignatureHeader, isValidSignature } from '@sanity/webhook'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { ApiVersion, shopifyApi } from '@shopify/shopify-api'
import { verifySlackRequest } from '@slack/bolt'
import { WorkOS } from '@workos-inc/node'
import OpenAI from 'openai'
import Razorpay from 'razorpay'
import { WebhooksHelper } from 'square'
import * as standard from 'standardwebhooks'
import Stripe from 'stripe'
import * as svix from 'svix'
import twilio from 'twilio'
import { spki } from './keys.fixture.ts'
import { FORM, SOURCE_URL } from './signer.fixture.ts'
import { header, JSON_TYPE, type Sdk, seconds, texts } from './library-verifier.fixture.ts'

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

export const SDKS_FROM_O: readonly Sdk[] = [
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
