/** An independent signer of Mollie (classic), written from its documents. */
import { NEVER, type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  {
    ...token({ source: 'mollie-classic', header: 'X-None', body: 'id=tr_d0b0E3EA3v', id: NEVER }),
    config: () => ({}),
    sign: ({ body }) => ({
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
    carriedIn: [],
    unchecked: true,
  },
]
