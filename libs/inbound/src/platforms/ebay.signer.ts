/**
 * An independent signer of eBay: the header is base64 of JSON that holds the signature and names
 * the key.
 */
import { createHash } from 'node:crypto'
import { idOf, namesOf, signature, spki } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const ENDPOINT = 'https://hooks.example.com/inbound/abcdefgh'

const VERIFICATION = '654321_verification_token_of_at_least_32'

const config = {
  client_id: 'app-id',
  client_secret: 'app-secret',
  verification_token: VERIFICATION,
  endpoint_url: ENDPOINT,
}

const keyUrl = (name: string) =>
  `https://api.ebay.com/commerce/notification/v1/public_key/${idOf(name)}`

const published = (name: string) =>
  JSON.stringify({
    algorithm: 'ECDSA',
    digest: 'SHA1',
    key: `-----BEGIN PUBLIC KEY-----${spki(name)}-----END PUBLIC KEY-----`,
  })

export const signers: readonly Signer[] = [
  {
    source: 'ebay',
    secrets: namesOf('ec'),
    config: () => config,
    body: JSON.stringify({
      metadata: { topic: 'MARKETPLACE_ACCOUNT_DELETION', schemaVersion: '1.0', deprecated: false },
      notification: {
        notificationId: '49feeaeb-4982-42d9-a377-9645b8479411_33f7e043',
        eventDate: '2023-11-14T22:13:20.000Z',
        publishAttemptCount: 1,
        data: { username: 'test_user' },
      },
    }),
    sign({ body, secret, touch }) {
      const sealed = {
        alg: 'ecdsa',
        kid: idOf(secret),
        signature: touch(signature('sha1', body, secret).toString('base64')),
        digest: 'SHA1',
      }
      return {
        body,
        headers: {
          'Content-Type': 'application/json',
          'x-ebay-signature': Buffer.from(JSON.stringify(sealed)).toString('base64'),
        },
      }
    },
    covers: { body: true },
    carriedIn: ['x-ebay-signature'],
    eventType: 'MARKETPLACE_ACCOUNT_DELETION',
    deliveryId: '49feeaeb-4982-42d9-a377-9645b8479411_33f7e043',
    published: {
      ...Object.fromEntries(namesOf('ec').map((name) => [keyUrl(name), published(name)])),
      'https://api.ebay.com/identity/v1/oauth2/token': JSON.stringify({
        access_token: 'v^1.1#i',
        expires_in: 7200,
        token_type: 'Application Access Token',
      }),
    },
    handshakes: [
      {
        of: 'the endpoint',
        request: {
          method: 'GET',
          url: '?challenge_code=a8628072-3d33-45ee-9004-bee86830a22d',
          headers: {},
          body: '',
        },
        config,
        answer: {
          status: 200,
          body: JSON.stringify({
            challengeResponse: createHash('sha256')
              .update(`a8628072-3d33-45ee-9004-bee86830a22d${VERIFICATION}${ENDPOINT}`)
              .digest('hex'),
          }),
          headers: { 'content-type': 'application/json' },
        },
      },
    ],
  },
]
