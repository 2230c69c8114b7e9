/** An independent signer of ActiveCampaign, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'activecampaign',
    body: 'type=subscribe&date_time=2023-11-14T22%3A13%3A20-06%3A00&contact%5Bid%5D=42',
    type: 'subscribe',
  }),
]
