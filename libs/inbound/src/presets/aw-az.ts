/** The platforms from Amazon EventBridge API destinations to Azure Event Grid. */
import type { Preset } from '../preset.ts'
import { allowEventGrid } from '../odd/azure-event-grid.ts'
import { confirmSubscription, snsVerifier } from '../schemes/sns.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET, PASSWORD, USERNAME } from '../schemes/config-keys.ts'
import { headerOrBasic } from '../schemes/static-credentials.ts'

export const awAz: readonly Preset[] = [
  {
    source: 'aws-eventbridge',
    name: 'Amazon EventBridge API destinations',
    description:
      'EventBridge rules or pipes calling an API destination, authenticated by the connection you configure.',
    mode: 'token',
    docs: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html',
    configKeys: [OPTIONAL_SHARED_SECRET, HEADER_NAME, USERNAME, PASSWORD],
    verify: headerOrBasic(),
    eventType: ['$.detail-type'],
    deliveryId: ['$.id'],
    notes:
      'Set what the connection of the API destination sends: an API key (header_name and secret), or a user name and a password. OAuth tokens change, and can’t be checked. Types and ids are found when no input transformer changes the event.',
  },
  {
    source: 'aws-sns',
    name: 'Amazon SNS',
    description:
      'Amazon SNS HTTP/S subscriptions with RSA-signed messages and a subscription-confirmation handshake.',
    mode: 'asymmetric',
    docs: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
    configKeys: [
      {
        name: 'topic_arn',
        secret: false,
        required: true,
        meaning:
          'The ARN of the topic that may send here: Amazon signs for everybody’s topics. Several for several topics.',
      },
    ],
    verify: { kind: 'odd', verify: snsVerifier(null), usesJsonBody: true },
    handshakes: [
      {
        when: {
          method: 'POST',
          equals: [{ at: { json: '$.Type' }, text: 'SubscriptionConfirmation' }],
        },
        signed: true,
        odd: confirmSubscription,
      },
    ],
    eventType: ['$.headers.x-amz-sns-message-type', '$.Type'],
    deliveryId: ['$.headers.x-amz-sns-message-id', '$.MessageId'],
    notes:
      'The subscription is confirmed by itself once its topic is the configured one. Leave raw message delivery off: it drops the signature.',
  },
  {
    source: 'azure-devops',
    name: 'Azure DevOps',
    description:
      'Azure DevOps service-hook web hooks (git, build, work item, release) with optional basic auth and headers.',
    mode: 'basic_auth',
    docs: 'https://learn.microsoft.com/azure/devops/service-hooks/services/webhooks',
    configKeys: [USERNAME, PASSWORD, HEADER_NAME, OPTIONAL_SHARED_SECRET],
    verify: headerOrBasic(),
    eventType: ['$.eventType'],
    deliveryId: ['$.id'],
    notes:
      'Set what the service hook’s subscription sends: a user name and a password, or a header of its own (header_name and secret).',
  },
  {
    source: 'azure-event-grid',
    name: 'Azure Event Grid',
    description:
      'Azure Event Grid webhook deliveries, with endpoint-validation handshakes and optional Entra ID bearer tokens.',
    mode: 'provider_specific',
    docs: 'https://learn.microsoft.com/azure/event-grid/end-point-validation-cloud-events-event-grid-schemas',
    configKeys: [
      OPTIONAL_SHARED_SECRET,
      HEADER_NAME,
      {
        name: 'query_param',
        secret: false,
        required: false,
        meaning: 'The query parameter that holds the secret. Default: code.',
      },
      {
        name: 'tenant_id',
        secret: false,
        required: false,
        meaning: 'The Microsoft Entra tenant whose tokens Event Grid sends.',
      },
      {
        name: 'audience',
        secret: false,
        required: false,
        meaning: 'The application id, or its URI, that these tokens are for.',
      },
    ],
    verify: {
      kind: 'any',
      of: [
        {
          kind: 'token',
          at: { queryNamedBy: 'query_param', or: 'code' },
          config: 'secret',
          needs: ['secret'],
        },
        {
          kind: 'token',
          at: { headerNamedBy: 'header_name' },
          config: 'secret',
          needs: ['header_name', 'secret'],
        },
        {
          kind: 'jwt',
          at: { header: 'Authorization' },
          scheme: 'Bearer ',
          algorithms: ['RS256'],
          key: { jwks: 'https://login.microsoftonline.com/{config:tenant_id}/discovery/v2.0/keys' },
          issuer: [
            'https://login.microsoftonline.com/{config:tenant_id}/v2.0',
            'https://sts.windows.net/{config:tenant_id}/',
          ],
          audience: { config: 'audience' },
          needs: ['tenant_id', 'audience'],
        },
      ],
    },
    handshakes: [
      {
        when: {
          method: 'POST',
          equals: [{ at: { header: 'aeg-event-type' }, text: 'SubscriptionValidation' }],
          has: [{ json: '$[0].data.validationCode' }],
        },
        echo: { json: '$[0].data.validationCode' },
        as: { json: 'validationResponse' },
      },
      {
        when: { method: 'OPTIONS', has: [{ header: 'WebHook-Request-Origin' }] },
        odd: allowEventGrid,
      },
    ],
    eventType: ['$[*].eventType', '$[*].type', '$.type', '$.eventType'],
    deliveryId: ['$[*].id', '$.id'],
    notes:
      'Event Grid signs nothing by itself. Put a secret into the URL (?code=…) or into a delivery property, or have it send Entra tokens (tenant_id and audience). Its questions whether the receiver is there are answered for both schemas.',
  },
]
