/** QuickNode signs the body before it compresses it. */
import { gunzipSync } from 'node:zlib'
import type { Preset } from '../preset.ts'
import type { RequestView } from '../request-view.ts'
import { SECRET } from '../schemes/config-keys.ts'

export const preset: Preset = {
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
    'A compressed body is unpacked, up to one megabyte: of larger blocks send less. There is no type in what a stream sends: give the inbound endpoint an eventTypeMapping.',
}

/** The largest body that may come uncompressed. */
const MAX_BYTES = 1024 * 1024

function quicknodeContent(view: RequestView, timestamp: string): Buffer[] {
  const head = Buffer.from((view.header('x-qn-nonce') ?? '') + timestamp)
  return plainBodies(view).map((body) => Buffer.concat([head, body]))
}

function plainBodies(view: RequestView): Buffer[] {
  const { body } = view.request
  if (view.header('content-encoding')?.toLowerCase() !== 'gzip') return [body]
  try {
    return [gunzipSync(body, { maxOutputLength: MAX_BYTES })]
  } catch {
    return []
  }
}
