/** QuickNode signs the body before it compresses it. */
import { gunzipSync } from 'node:zlib'
import type { RequestView } from '../request-view.ts'

/** As much as a body that came plain may have. */
const MAX_BYTES = 1024 * 1024

export function quicknodeContent(reading: RequestView, timestamp: string): Buffer[] {
  const head = Buffer.from((reading.header('x-qn-nonce') ?? '') + timestamp)
  return plainBodies(reading).map((body) => Buffer.concat([head, body]))
}

function plainBodies(reading: RequestView): Buffer[] {
  const { body } = reading.request
  if (reading.header('content-encoding')?.toLowerCase() !== 'gzip') return [body]
  try {
    return [gunzipSync(body, { maxOutputLength: MAX_BYTES })]
  } catch {
    return []
  }
}
