/** An independent signer of Fireblocks, written from its documents. */
import { idOf, jwsSignature, keySet, namesOf } from '../signers/keys.fixture.ts'
import type { Signer, SigningInput } from '../signers/signer.fixture.ts'

/** A JWS whose middle, the body, is left out. */
export const signers: readonly Signer[] = ['', 'eu', 'eu2', 'sandbox'].map((environment) => {
  const body = JSON.stringify({
    id: 'b5a3e4c2',
    eventType: 'transaction.created',
    eventVersion: 1,
    resourceId: 'r',
    data: {},
    createdAt: 1700000000000,
    workspaceId: 'w',
  })
  const host = environment === '' ? 'keys.fireblocks.io' : `${environment}-keys.fireblocks.io`
  return {
    source: 'fireblocks',
    ...(environment === '' ? {} : { variant: environment }),
    secrets: namesOf('rsa'),
    config: (): Record<string, string> => (environment === '' ? {} : { environment }),
    body,
    sign({ body: text, secret, touch }: SigningInput) {
      const head = Buffer.from(
        JSON.stringify({ alg: 'RS512', kid: idOf(secret), typ: 'JWT' }),
      ).toString('base64url')
      const signature = jwsSignature(
        `${head}.${Buffer.from(text).toString('base64url')}`,
        secret,
        'RS512',
      )
      return {
        body: text,
        headers: {
          'Content-Type': 'application/json',
          'Fireblocks-Webhook-Signature': `${head}..${touch(signature)}`,
        },
      }
    },
    covers: { body: true },
    carriedIn: ['Fireblocks-Webhook-Signature'],
    eventType: 'transaction.created',
    deliveryId: 'b5a3e4c2',
    published: {
      [`https://${host}/.well-known/jwks.json`]: keySet('rsa').replaceAll('RS256', 'RS512'),
    },
  }
})
