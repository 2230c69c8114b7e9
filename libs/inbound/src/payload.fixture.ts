/** The payload of a body that makes one. For tests. */
import type { Preset } from './preset.ts'
import { type Payload, readPayload } from './payload.ts'
import type { InboundRequest } from './request.ts'

export async function payloadOf(
  request: InboundRequest,
  preset: Pick<Preset, 'verify' | 'unpack'>,
): Promise<Payload> {
  const payload = await readPayload(request, preset)
  if ('refused' in payload) throw new Error(`refused: ${payload.refused}`)
  return payload
}
