/** An independent signer of Atlassian Statuspage, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

const statuspage = { meta: { documentation: 'd' }, page: { id: 'p' } }

export const signers: readonly Signer[] = [
  urlToken({
    source: 'statuspage',
    body: {
      ...statuspage,
      incident: { id: 'lbkhbwn21v5q', incident_updates: [{ id: 'drfcwbnpxnr6' }] },
    },
    type: 'incident',
    id: 'drfcwbnpxnr6',
  }),
  urlToken({
    source: 'statuspage',
    variant: 'of a component',
    body: {
      ...statuspage,
      component_update: { id: 'k7730b5v92bv', new_status: 'operational' },
      component: { id: 'rb5wq1dczvbm' },
    },
    type: 'component_update',
    id: 'k7730b5v92bv',
  }),
]
