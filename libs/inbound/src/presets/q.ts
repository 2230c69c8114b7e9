/** The platforms from QuickBooks Online to QuickNode. */
import { quicknodeContent } from '../odd/quicknode.ts'
import type { Preset } from '../preset.ts'
import { bodyHmac } from '../schemes/body-hmac.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const q: readonly Preset[] = [
  {
    source: 'quickbooks',
    name: 'QuickBooks Online (Intuit)',
    description: 'Accounting entity changes signed over the raw body with the app verifier token',
    mode: 'hmac',
    docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications',
    configKeys: [SECRET],
    verify: bodyHmac('intuit-signature', { encoding: 'base64' }),
    eventType: [
      '$[*].type',
      '{$.eventNotifications[*].dataChangeEvent.entities[*].name}.{$.eventNotifications[*].dataChangeEvent.entities[*].operation}',
    ],
    deliveryId: ['$[*].id'],
    accepted: { status: 200 },
    notes:
      'The secret is the app’s verifier token. A request may hold several changes: they are one event here, named by the first.',
  },
  {
    source: 'quicknode',
    name: 'QuickNode',
    description: 'QuickNode Streams and Webhooks.',
    mode: 'hmac_timestamped',
    docs: 'https://www.quicknode.com/guides/quicknode-products/streams/validating-incoming-streams-webhook-messages',
    configKeys: [{ ...SECRET, meaning: 'The security token of the stream.' }],
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { at: { header: 'x-qn-signature' } },
      signed: '{header:x-qn-nonce}{t}{body}',
      content: quicknodeContent,
      timestamp: { at: { header: 'x-qn-timestamp' }, unit: 'seconds', toleranceSeconds: 300 },
    },
    handshakes: [
      {
        when: {
          method: 'POST',
          equals: [{ at: { json: '$.message' }, text: 'PING' }],
          hasNot: [{ header: 'x-qn-signature' }],
        },
        answer: { status: 200 },
      },
    ],
    eventType: [],
    deliveryId: [],
    accepted: { status: 200 },
    notes:
      'A compressed body is unpacked, up to one megabyte: of larger blocks send less. There is no type in what a stream sends: give the receiver an eventTypeMapping.',
  },
]
