/**
 * An independent signer of Azure Event Grid: a secret in the URL or a header, or a token of Entra
 * ID.
 */
import { keySet, keyToken, namesOf } from '../signers/keys.fixture.ts'
import {
  commonFields,
  headersOf,
  type Signer,
  type SignerEvent,
  SOURCE_URL,
  token,
} from '../signers/signer.fixture.ts'

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'

const event: SignerEvent = {
  source: 'azure-event-grid',
  body: [
    {
      id: '831e1650-001e-001b-66ab-eeb76e069631',
      eventType: 'Microsoft.Storage.BlobCreated',
      subject: '/blobServices/default',
      eventTime: '2023-11-14T22:13:20Z',
      data: { api: 'PutBlockList' },
      dataVersion: '',
      metadataVersion: '1',
    },
  ],
  headers: { 'aeg-event-type': 'Notification' },
  type: 'Microsoft.Storage.BlobCreated',
  id: '831e1650-001e-001b-66ab-eeb76e069631',
}

const validation = [
  {
    id: '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
    topic: '/subscriptions/1',
    subject: '',
    data: {
      validationCode: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6',
      validationUrl: 'https://rp-eastus2.eventgrid.azure.net/eventsubscriptions/x/validate',
    },
    eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
    eventTime: '2023-11-14T22:13:20Z',
    metadataVersion: '1',
    dataVersion: '1',
  },
]

export const signers: readonly Signer[] = [
  {
    ...token({ ...event, header: 'X-None' }),
    config: (secret) => ({ query_param: 'code', secret }),
    sign: ({ body, secret, touch }) => ({
      url: `${SOURCE_URL}?code=${touch(secret)}`,
      headers: headersOf(event),
      body,
    }),
    carriedIn: [],
    handshakes: [
      {
        of: 'the subscription in the schema of CloudEvents',
        request: {
          method: 'OPTIONS',
          url: '?code=open-sesame',
          headers: { 'WebHook-Request-Origin': 'eventgrid.azure.net' },
          body: '',
        },
        config: { query_param: 'code', secret: 'open-sesame' },
        answer: { status: 200, headers: { 'WebHook-Allowed-Origin': 'eventgrid.azure.net' } },
      },
      {
        of: 'the subscription',
        request: {
          url: '?code=open-sesame',
          headers: { 'aeg-event-type': 'SubscriptionValidation' },
          body: JSON.stringify(validation),
        },
        config: { query_param: 'code', secret: 'open-sesame' },
        answer: {
          status: 200,
          body: '{"validationResponse":"512d38b6-c7b8-40c8-89fe-f46f9e9622b6"}',
        },
      },
    ],
  },
  token({
    ...event,
    variant: 'by header',
    header: 'X-Delivery-Secret',
    config: { header_name: 'X-Delivery-Secret' },
  }),
  {
    ...commonFields({ ...event, variant: 'by a token' }),
    secrets: namesOf('rsa'),
    config: () => ({ tenant_id: TENANT, audience: 'api://receiver' }),
    sign({ body, now, secret, touch }) {
      const iat = Math.floor(now / 1000)
      const claims = {
        iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
        aud: 'api://receiver',
        iat,
        nbf: iat,
        exp: iat + 3600,
      }
      return {
        headers: {
          ...headersOf(event),
          Authorization: `Bearer ${keyToken(claims, secret, touch)}`,
        },
        body,
      }
    },
    covers: { body: false },
    carriedIn: ['Authorization'],
    toleranceSeconds: 3600 + 60,
    pinned: { audience: 'api://receiver' },
    published: {
      [`https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`]: keySet('rsa'),
    },
  },
]
