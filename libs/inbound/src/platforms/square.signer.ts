/** An independent signer of Square, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'square',
    header: 'x-square-hmacsha256-signature',
    digest: ['sha256', 'base64'],
    signed: (body, _, url) => `${url}${body}`,
    coversUrl: true,
    body: { merchant_id: 'M', type: 'payment.created', event_id: 'ac3ac95b', data: {} },
    type: 'payment.created',
    id: 'ac3ac95b',
  }),
  mac({
    source: 'square',
    variant: 'at a URL of its own',
    config: { webhook_url: 'https://public.example.com/in' },
    pinned: { webhook_url: 'https://public.example.com/in' },
    header: 'x-square-hmacsha256-signature',
    digest: ['sha256', 'base64'],
    signed: (body) => `https://public.example.com/in${body}`,
    body: { type: 'payment.created', event_id: 'ac3ac95b' },
    type: 'payment.created',
    id: 'ac3ac95b',
  }),
]
