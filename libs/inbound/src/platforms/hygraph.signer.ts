/** An independent signer of Hygraph, written from its documents. */
import { hmac, mac, type Signer } from '../signers/signer.fixture.ts'

const changed = {
  operation: 'publish',
  data: { __typename: 'Product', id: 'ck1', stage: 'PUBLISHED' },
}

export const signers: readonly Signer[] = [
  {
    ...mac({
      source: 'hygraph',
      header: 'gcms-signature',
      body: changed,
      type: 'publish',
      time: { unit: 'ms', tolerance: null },
    }),
    sign({ body, now, shown, secret, touch }) {
      const text = JSON.stringify({ Body: body, EnvironmentName: 'master', TimeStamp: now })
      const signature = touch(hmac(secret, text, ['sha256', 'base64']))
      return {
        body,
        headers: {
          'Content-Type': 'application/json',
          'gcms-signature': `sign=${signature}, env=master, t=${shown}`,
        },
      }
    },
  },
]
