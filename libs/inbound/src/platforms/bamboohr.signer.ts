/** An independent signer of BambooHR, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'bamboohr',
    header: 'X-BambooHR-Signature',
    signed: (body, t) => `${body}${t}`,
    time: { unit: 's', header: 'X-BambooHR-Timestamp', tolerance: null },
    headers: { 'Company-Domain': 'acme' },
    body: {
      employees: [
        {
          id: '5',
          action: 'Updated',
          changedFields: ['First name'],
          fields: { 'First name': { value: 'Tefi' } },
        },
      ],
    },
    type: 'Updated',
  }),
]
