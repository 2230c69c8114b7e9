/** An independent signer of Jira Cloud (OAuth 2.0 dynamic webhooks), written from its documents. */
import { JIRA_ISSUE } from '../signers/jira.fixture.ts'
import { macToken } from '../signers/keys.fixture.ts'
import { secretsOf, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  {
    source: 'jira-oauth-app',
    secrets: secretsOf('jira-oauth-app', 'utf8'),
    config: (secret) => ({ client_secret: secret }),
    body: JSON.stringify(JIRA_ISSUE),
    sign({ body: text, now, secret, touch }) {
      const iat = Math.floor(now / 1000)
      const token = macToken({ iss: 'client', iat, exp: iat + 180 }, secret, touch)
      return {
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
          'X-Atlassian-Webhook-Identifier': '8a2d9c1e',
        },
        body: text,
      }
    },
    covers: { body: false },
    carriedIn: ['Authorization'],
    toleranceSeconds: 180 + 60,
    eventType: 'jira:issue_updated',
    deliveryId: '8a2d9c1e',
  },
]
