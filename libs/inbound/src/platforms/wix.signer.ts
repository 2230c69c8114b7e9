/** An independent signer of Wix, written from its documents. */
import { seconds, jwt } from '../signers/jwt.fixture.ts'
import { pem } from '../signers/keys.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  jwt({
    source: 'wix',
    body: '',
    whole: true,
    key: 'rsa',
    keyConfig: (name) => ({ public_key: pem(name) }),
    claims: ({ now }) => ({
      data: JSON.stringify({
        eventType: 'wix.contacts.v4.contact_created',
        instanceId: 'i',
        data: JSON.stringify({ id: 'c6e8', entityId: 'e' }),
      }),
      iat: seconds(now),
      exp: seconds(now) + 3600,
    }),
    covers: { body: true },
    tolerance: 3600 + 60,
    type: 'wix.contacts.v4.contact_created',
    id: 'c6e8',
  }),
]
