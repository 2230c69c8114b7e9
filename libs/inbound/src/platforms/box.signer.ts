/** An independent signer of Box, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const BOX = {
  'BOX-DELIVERY-ID': 'f96bb54b-ee16-4fc5-aa65-8c2d9e5b546f',
  'BOX-SIGNATURE-VERSION': '1',
  'BOX-SIGNATURE-ALGORITHM': 'HmacSHA256',
}

const box = {
  type: 'webhook_event',
  id: '0f1e2d3c',
  created_at: '2023-11-14T22:13:20-07:00',
  trigger: 'FILE.UPLOADED',
  webhook: { id: '53' },
  source: { id: '73835521473', type: 'file' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'box',
    header: 'BOX-SIGNATURE-PRIMARY',
    secretIn: 'primary_key',
    digest: ['sha256', 'base64'],
    headers: BOX,
    signed: (body, t) => `${body}${t}`,
    time: { unit: 'iso', header: 'BOX-DELIVERY-TIMESTAMP', tolerance: 600 },
    body: box,
    type: 'FILE.UPLOADED',
    id: BOX['BOX-DELIVERY-ID'],
  }),
  {
    ...mac({
      source: 'box',
      variant: 'by the secondary key',
      header: 'BOX-SIGNATURE-SECONDARY',
      secretIn: 'secondary_key',
      config: { primary_key: 'rotated-away' },
      digest: ['sha256', 'base64'],
      headers: { ...BOX, 'BOX-SIGNATURE-PRIMARY': 'MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=' },
      signed: (body, t) => `${body}${t}`,
      time: { unit: 'iso', header: 'BOX-DELIVERY-TIMESTAMP', tolerance: 600 },
      body: box,
      type: 'FILE.UPLOADED',
      id: BOX['BOX-DELIVERY-ID'],
    }),
    carriedIn: ['BOX-SIGNATURE-PRIMARY', 'BOX-SIGNATURE-SECONDARY'],
  },
]
