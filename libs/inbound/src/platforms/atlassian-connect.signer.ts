/** An independent signer of Atlassian Connect app webhooks, written from its documents. */
import { createHash } from 'node:crypto'
import { JIRA_ISSUE } from '../signers/jira.fixture.ts'
import { idOf, keyToken, macToken, namesOf, pem } from '../signers/keys.fixture.ts'
import { secretsOf, type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

const QUERY = 'zee_last=param&repeated=parameter%201&first=param&repeated=parameter%202'

/** The canonical request of that query, as Atlassian's documents write it. */
const CANONICAL =
  'POST&/inbound/abcdefgh&first=param&repeated=parameter%201,parameter%202&zee_last=param'

const installation = {
  eventType: 'installed',
  key: 'app',
  clientKey: 'jira:1',
  sharedSecret: 'the-shared-secret',
  baseUrl: 'https://site.atlassian.net',
}

export const signers: readonly Signer[] = [
  {
    source: 'atlassian-connect',
    secrets: secretsOf('atlassian-connect', 'utf8'),
    config: (secret) => ({
      shared_secret: secret,
      client_key: 'jira:1',
      base_url: 'https://hooks.example.com',
    }),
    body: JSON.stringify(JIRA_ISSUE),
    sign({ body: text, now, secret, touch }) {
      const qsh = createHash('sha256').update(CANONICAL).digest('hex')
      const iat = Math.floor(now / 1000)
      const token = macToken({ iss: 'jira:1', iat, exp: iat + 180, qsh }, secret, touch)
      return {
        url: `${SOURCE_URL}?${QUERY}`,
        headers: { 'Content-Type': 'application/json', Authorization: `JWT ${token}` },
        body: text,
      }
    },
    covers: { body: false, url: true },
    carriedIn: ['Authorization'],
    toleranceSeconds: 180 + 60,
    eventType: 'jira:issue_updated',
    deliveryId: null,
    pinned: { client_key: 'jira:1' },
  },
  /** An installation is signed by Atlassian's own key, for it brings the secret. */
  {
    source: 'atlassian-connect',
    variant: 'the installation',
    secrets: namesOf('rsa'),
    config: () => ({ base_url: 'https://hooks.example.com' }),
    body: JSON.stringify(installation),
    sign({ body: text, now, secret, touch }) {
      const qsh = createHash('sha256').update('POST&/inbound/abcdefgh&').digest('hex')
      const iat = Math.floor(now / 1000)
      const claims = { iss: 'jira:1', aud: 'https://hooks.example.com', iat, exp: iat + 180, qsh }
      return {
        headers: {
          'Content-Type': 'application/json',
          Authorization: `JWT ${keyToken(claims, secret, touch)}`,
        },
        body: text,
      }
    },
    covers: { body: false, url: true },
    carriedIn: ['Authorization'],
    toleranceSeconds: 180 + 60,
    eventType: null,
    deliveryId: null,
    pinned: { base_url: 'https://hooks.example.com' },
    published: Object.fromEntries(
      namesOf('rsa').map((name) => [
        `https://connect-install-keys.atlassian.com/${idOf(name)}`,
        pem(name),
      ]),
    ),
    handshakes: [
      {
        of: 'the installation',
        signed: true,
        request: { headers: {}, body: '' },
        answer: {
          status: 204,
          learned: { client_key: 'jira:1', shared_secret: 'the-shared-secret' },
        },
      },
    ],
  },
]
