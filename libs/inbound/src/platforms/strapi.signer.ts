/** An independent signer of Strapi, written from its documents. */
import { namedHeader, type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'strapi',
    headers: { 'X-Strapi-Event': 'entry.create' },
    body: {
      event: 'entry.create',
      createdAt: '2023-11-14T22:13:20.000Z',
      model: 'm',
      entry: { id: 1 },
    },
    type: 'entry.create',
  }),
  token({
    source: 'strapi',
    variant: 'by authorization',
    header: 'Authorization',
    headers: { 'X-Strapi-Event': 'entry.create' },
    body: { event: 'entry.create', entry: { id: 1 } },
    type: 'entry.create',
  }),
]
