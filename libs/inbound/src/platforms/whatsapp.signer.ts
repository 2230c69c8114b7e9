/** An independent signer of WhatsApp Business, written from its documents. */
import { META_QUESTIONS } from '../signers/meta.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

const message = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [{ field: 'messages', value: { messages: [{ id: 'wamid.HBg', type: 'text' }] } }],
    },
  ],
}

const status = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: { statuses: [{ id: 'wamid.HBg', status: 'delivered', timestamp: '1700000000' }] },
        },
      ],
    },
  ],
}

export const signers: readonly Signer[] = [
  mac({
    source: 'whatsapp',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: message,
    type: 'messages',
    id: 'wamid.HBg',
    handshakes: META_QUESTIONS,
  }),
  mac({
    source: 'whatsapp',
    variant: 'of a status',
    header: 'X-Hub-Signature-256',
    show: (s) => `sha256=${s}`,
    body: status,
    type: 'messages.delivered',
    id: 'wamid.HBg:delivered',
  }),
]
