/** The platforms from ActiveCampaign to AfterShip. */
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { verifyAdyenItems } from '../platforms/adyen.verifier.ts'
import { PASSWORD, PUBLIC_KEY, SECRET, URL_TOKEN, USERNAME } from '../schemes/config-keys.ts'
import { BASIC } from '../schemes/static-credentials.ts'

export const acAf: readonly Preset[] = [
  {
    source: 'activecampaign',
    name: 'ActiveCampaign',
    description: 'ActiveCampaign contact, campaign and deal webhooks.',
    mode: 'token',
    docs: 'https://developers.activecampaign.com/page/webhooks',
    configKeys: [URL_TOKEN],
    verify: { kind: 'token', at: { query: 'token' }, config: 'url_token' },
    eventType: ['$.type'],
    deliveryId: [],
    notes:
      'ActiveCampaign signs nothing: the token in the URL is all that protects the receiver. Not confirmed by the platform’s documents.',
  },
  {
    source: 'adobe-commerce',
    name: 'Adobe Commerce (Magento)',
    description: 'Adobe Commerce (Magento) synchronous webhooks with digital signature enabled.',
    mode: 'asymmetric',
    docs: 'https://developer.adobe.com/commerce/extensibility/webhooks/signature-verification',
    configKeys: [PUBLIC_KEY],
    verify: {
      kind: 'asymmetric',
      algorithm: 'rsa-sha256',
      encoding: 'base64',
      signature: { at: { header: 'x-adobe-commerce-webhook-signature' } },
      signed: '{base64:body}',
      key: { config: 'public_key' },
    },
    eventType: [],
    deliveryId: [],
    accepted: { body: '[{"op":"success"}]', type: 'application/json' },
    notes:
      'Switch on the digital signature under Stores > Configuration > Adobe Services > Webhooks and copy the public key from there. The shop waits for an answer and is told to go on: [{"op":"success"}].',
  },
  {
    source: 'adobe-io-events',
    name: 'Adobe I/O Events',
    description: 'Adobe I/O Events delivered to a webhook registration.',
    mode: 'asymmetric',
    docs: 'https://developer.adobe.com/events/docs/guides/',
    configKeys: [
      {
        name: 'client_id',
        secret: false,
        required: true,
        meaning:
          'The client id of the project in the Adobe Developer Console: events for other clients are refused.',
      },
    ],
    verify: {
      kind: 'all',
      of: [
        {
          kind: 'any',
          of: [
            {
              kind: 'asymmetric',
              algorithm: 'rsa-sha256',
              encoding: 'base64',
              signature: { at: { header: 'x-adobe-digital-signature-1' } },
              signed: '{body}',
              key: {
                urlAt: { header: 'x-adobe-public-key1-path' },
                base: 'https://static.adobeioevents.com',
                hosts: /^static\.adobeioevents\.com$/,
                path: /\.pem$/,
              },
            },
            {
              kind: 'asymmetric',
              algorithm: 'rsa-sha256',
              encoding: 'base64',
              signature: { at: { header: 'x-adobe-digital-signature-2' } },
              signed: '{body}',
              key: {
                urlAt: { header: 'x-adobe-public-key2-path' },
                base: 'https://static.adobeioevents.com',
                hosts: /^static\.adobeioevents\.com$/,
                path: /\.pem$/,
              },
            },
          ],
        },
        { kind: 'token', at: { json: '$.recipientclientid' }, config: 'client_id' },
      ],
    },
    handshakes: [
      {
        when: { method: 'GET', has: [{ query: 'challenge' }] },
        echo: { query: 'challenge' },
        as: { text: true },
      },
    ],
    eventType: ['$.type', "$.event['@type']"],
    deliveryId: ['$.headers.x-adobe-event-id'],
    notes:
      'For journalling and runtime actions Adobe signs nothing; use the delivery to a webhook.',
  },
  {
    source: 'adobe-sign',
    name: 'Adobe Acrobat Sign',
    description:
      'Agreement events that repeat your API client id, which you must echo on every request; no signature',
    mode: 'token',
    docs: 'https://helpx.adobe.com/sign/developer/webhook/overview.html',
    configKeys: [
      {
        name: 'client_id',
        secret: false,
        required: true,
        meaning:
          'The client id (application id) that Acrobat Sign repeats in every request. Several when several applications send here.',
      },
    ],
    verify: { kind: 'token', at: { header: 'X-AdobeSign-ClientId' }, config: 'client_id' },
    handshakes: [
      {
        when: {
          method: 'GET',
          has: [{ header: 'X-AdobeSign-ClientId' }],
          proof: { at: { header: 'X-AdobeSign-ClientId' }, config: 'client_id' },
        },
        echo: { header: 'X-AdobeSign-ClientId' },
        as: { header: 'X-AdobeSign-ClientId' },
      },
    ],
    eventType: ['$.event'],
    deliveryId: ['$.webhookNotificationId'],
    accepted: { echo: 'X-AdobeSign-ClientId' },
    notes:
      'Acrobat Sign signs nothing, and the client id is no real secret: keep the URL to yourself.',
  },
  {
    source: 'adyen',
    name: 'Adyen (standard webhooks)',
    description: 'Payment notifications; each item holds its own HMAC over eight chosen fields',
    mode: 'provider_specific',
    docs: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The HMAC key from the Customer Area, in hex. Several while it is rotated.',
      },
      USERNAME,
      PASSWORD,
    ],
    verify: {
      kind: 'all',
      of: [{ kind: 'odd', verify: verifyAdyenItems, usesJsonBody: true }, BASIC],
    },
    eventType: ['$.notificationItems[*].NotificationRequestItem.eventCode'],
    deliveryId: [
      '{$.notificationItems[*].NotificationRequestItem.pspReference}:{$.notificationItems[*].NotificationRequestItem.eventCode}:{$.notificationItems[*].NotificationRequestItem.success}',
    ],
    notes:
      'Only eight fields of an item are signed: reference, original reference, merchant account and reference, amount, currency, event code and success. A user name and a password, when they are set here, are demanded as well.',
  },
  {
    source: 'adyen-platform',
    name: 'Adyen (platform / management webhooks)',
    description:
      'Balance Platform, management and similar webhooks with one HMAC over the whole body in a header',
    mode: 'hmac',
    docs: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
    configKeys: [
      {
        name: 'secret',
        secret: true,
        required: true,
        meaning: 'The HMAC key from the Customer Area, in hex. Several while it is rotated.',
      },
      USERNAME,
      PASSWORD,
    ],
    verify: {
      kind: 'all',
      of: [
        {
          kind: 'hmac',
          algorithm: 'sha256',
          encoding: 'base64',
          signature: { at: { header: 'HmacSignature' } },
          signed: '{body}',
          key: { config: 'secret', as: 'hex' },
        },
        BASIC,
      ],
    },
    eventType: ['$.type'],
    deliveryId: [],
    notes: 'A user name and a password, when they are set here, are demanded beside the signature.',
  },
  {
    source: 'affirm',
    name: 'Affirm',
    description: 'Affirm checkout and prequalification webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://docs.affirm.com/developers/docs/checking-webhook-signatures',
    configKeys: [SECRET],
    verify: {
      kind: 'hmac',
      algorithm: 'sha512',
      encoding: 'hex',
      signature: {
        at: { header: 'X-Affirm-Signature' },
        format: { kind: 'fields', separator: ',', signature: 'v0', timestamp: 't' },
      },
      signed: '{t}.{body}',
      timestamp: { at: 'signature', unit: 'seconds', toleranceSeconds: 300 },
    },
    eventType: ['$.event'],
    deliveryId: [],
    notes: 'Ask Affirm to switch on signing.',
  },
  {
    source: 'aftership',
    name: 'AfterShip',
    description: 'AfterShip Tracking webhooks (also Returns, Warranty, Shipping).',
    mode: 'hmac',
    docs: 'https://www.aftership.com/docs/tracking/webhook/webhook-signature',
    configKeys: [SECRET],
    verify: {
      kind: 'any',
      of: [
        bodyHmac('aftership-hmac-sha256', { encoding: 'base64' }),
        bodyHmac('as-signature-hmac-sha256', { encoding: 'base64' }),
        bodyHmac('am-webhook-signature', { encoding: 'base64', prefix: 'hmac-sha256=' }),
      ],
    },
    eventType: ['$.event', '$.event_type'],
    deliveryId: ['$.event_id'],
    notes:
      'For Tracking, Returns, Warranty and Shipping, each with the secret of its own: enter them all when several send here.',
  },
]
