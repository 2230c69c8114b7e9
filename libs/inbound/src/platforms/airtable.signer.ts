/** An independent signer of Airtable, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'airtable',
    header: 'X-Airtable-Content-MAC',
    key: 'base64',
    show: (s) => `hmac-sha256=${s}`,
    body: {
      base: { id: 'app00000000000000' },
      webhook: { id: 'ach00000000000000' },
      timestamp: '2023-11-14T22:13:20.000Z',
    },
  }),
]
