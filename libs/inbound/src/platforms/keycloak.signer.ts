/** An independent signer of Keycloak (Phase Two keycloak-events), written from its documents. */
import { seconds, sha256, jwt } from '../signers/jwt.fixture.ts'
import { keySet } from '../signers/keys.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const login = { uid: '3d1b', time: 1700000000000, realmId: 'r', type: 'access.LOGIN', details: {} }

export const signers: readonly Signer[] = [
  mac({
    source: 'keycloak',
    header: 'X-Keycloak-Signature',
    body: login,
    type: 'access.LOGIN',
    id: '3d1b',
  }),
  mac({
    source: 'keycloak',
    variant: 'of SHA-1',
    header: 'X-Keycloak-Signature',
    digest: ['sha1', 'hex'],
    config: { algorithm: 'sha1' },
    body: login,
    type: 'access.LOGIN',
    id: '3d1b',
  }),
  jwt({
    source: 'keycloak',
    variant: 'by a token',
    scheme: 'Bearer ',
    body: { uid: '3d1b', type: 'access.LOGIN' },
    type: 'access.LOGIN',
    id: '3d1b',
    key: 'rsa',
    keyConfig: () => ({
      jwks_uri: 'https://sso.example.com/realms/r/protocol/openid-connect/certs',
      issuer: 'https://sso.example.com/realms/r',
      audience: 'posthorn',
    }),
    pinned: { issuer: 'https://sso.example.com/realms/r', audience: 'posthorn' },
    claims: ({ body, now }) => ({
      iss: 'https://sso.example.com/realms/r',
      aud: 'posthorn',
      iat: seconds(now),
      exp: seconds(now) + 300,
      jti: 'j',
      request_body_sha256: sha256(body),
    }),
    covers: { body: true },
    tolerance: 300 + 60,
    published: { 'https://sso.example.com/realms/r/protocol/openid-connect/certs': keySet('rsa') },
  }),
]
