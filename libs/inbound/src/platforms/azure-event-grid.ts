/** Event Grid's handshake in the CloudEvents schema asks whether it may send here, and how fast. */
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { HEADER_NAME, OPTIONAL_SHARED_SECRET } from '../schemes/config-keys.ts'
import type { HandshakeAnswer } from '../verification-result.ts'

export const preset: Preset = {
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
      custom: allowEventGrid,
    },
  ],
  eventType: ['$[*].eventType', '$[*].type', '$.type', '$.eventType'],
  deliveryId: ['$[*].id', '$.id'],
  notes:
    'Event Grid signs nothing by itself. Put a secret into the URL (?code=…) or into a delivery property, or have it send Entra tokens (tenant_id and audience). Its questions whether the inbound endpoint is there are answered for both schemas.',
}

const EVENT_GRID = 'eventgrid.azure.net'

function allowEventGrid(view: RequestView): HandshakeAnswer | null {
  if (view.header('webhook-request-origin') !== EVENT_GRID) return null
  const headers = { 'WebHook-Allowed-Origin': EVENT_GRID, 'WebHook-Allowed-Rate': '*' }
  return { status: 200, headers, body: '' }
}
