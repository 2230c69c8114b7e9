/** An independent signer of Pulumi, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'pulumi',
    header: 'Pulumi-Webhook-Signature',
    headers: { 'Pulumi-Webhook-Kind': 'stack_update', 'Pulumi-Webhook-ID': '8d4b' },
    body: { kind: 'update', result: 'succeeded' },
    type: 'stack_update',
    id: '8d4b',
  }),
]
