/** An independent signer of DocuSign Connect, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const signed = {
  event: 'envelope-completed',
  apiVersion: 'v2.1',
  retryCount: 0,
  configurationId: 1,
  generatedDateTime: '2023-11-14T22:13:20.000Z',
  data: { envelopeId: 'b' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'docusign',
    header: 'X-DocuSign-Signature-1',
    digest: ['sha256', 'base64'],
    headers: { 'X-Authorization-Digest': 'HMACSHA256' },
    body: signed,
    type: signed.event,
    id: 'b:envelope-completed:2023-11-14T22:13:20.000Z',
  }),
  {
    ...mac({
      source: 'docusign',
      variant: 'by the second key',
      header: 'X-DocuSign-Signature-2',
      digest: ['sha256', 'base64'],
      headers: { 'X-DocuSign-Signature-1': 'MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=' },
      body: signed,
      type: signed.event,
      id: 'b:envelope-completed:2023-11-14T22:13:20.000Z',
    }),
    carriedIn: ['X-DocuSign-Signature-1', 'X-DocuSign-Signature-2'],
  },
]
