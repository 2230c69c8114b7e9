/** An independent signer of Microsoft Graph change notifications, written from its documents. */
import { keySet, keyToken, namesOf } from '../signers/keys.fixture.ts'
import { bodyToken, type Signer, token } from '../signers/signer.fixture.ts'

const graph = {
  value: [
    {
      subscriptionId: '7f105c7d',
      clientState: '',
      changeType: 'created',
      resource: 'me/messages/1',
      tenantId: 't',
    },
  ],
}

export const signers: readonly Signer[] = [
  bodyToken({
    source: 'microsoft-graph',
    at: ['value', '0', 'clientState'],
    body: graph,
    type: 'created',
    handshakes: [
      {
        of: 'the subscription',
        request: {
          url: '?validationToken=Validation%3A+Testing+client%2Freachable',
          headers: { 'Content-Type': 'text/plain' },
          body: '',
        },
        answer: {
          status: 200,
          body: 'Validation: Testing client/reachable',
          headers: { 'content-type': 'text/plain' },
        },
      },
    ],
  }),
  /** Notifications with content also carry tokens of Entra ID. */
  {
    ...token({
      source: 'microsoft-graph',
      variant: 'with content',
      header: 'X-None',
      body: { value: [{ clientState: 'state', changeType: 'updated', resource: 'r' }] },
      type: 'updated',
    }),
    secrets: namesOf('rsa'),
    config: () => ({ secret: 'state', client_id: '8e460676', tenant_id: '84bd8158' }),
    sign({ body, now, secret, touch }) {
      const iat = Math.floor(now / 1000)
      const claims = {
        aud: '8e460676',
        iss: 'https://sts.windows.net/84bd8158/',
        appid: '0bf30f3b-4a52-48df-9a82-234910c4a086',
        tid: '84bd8158',
        iat,
        nbf: iat,
        exp: iat + 3600,
      }
      return {
        body: JSON.stringify({
          ...JSON.parse(body),
          validationTokens: [keyToken(claims, secret, touch)],
        }),
        headers: { 'Content-Type': 'application/json' },
      }
    },
    covers: { body: false },
    carriedIn: [],
    toleranceSeconds: 3600 + 60,
    pinned: { secret: 'state', client_id: '8e460676' },
    published: { 'https://login.microsoftonline.com/common/discovery/v2.0/keys': keySet('rsa') },
  },
]
