/**
 * The public path of inbound endpoints in the OpenAPI document. It is written by hand because it is
 * not a route of the catalog.
 */
import { ERROR_STATUS } from './errors.ts'
import { INBOUND_PATH } from './inbound.ts'
import type { Json } from './openapi-schemas.ts'

export const INBOUND_TAG = 'inbound'

/** Platforms send any body and sign it in any way, so no schema describes it further. */
export function inboundPath(): Json {
  const pathSuffix = {
    name: 'pathSuffix',
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
  }
  const operation = (operationId: string, summary: string, responses: Json): Json => ({
    operationId,
    summary,
    description:
      'Public: the platform authenticates by its signature, as the source’s preset describes.',
    tags: [INBOUND_TAG],
    security: [],
    parameters: [pathSuffix],
    responses: { ...responses, ...inboundErrors() },
  })
  const handshake = {
    200: { description: 'The answer to a handshake, as the platform requires it' },
  }
  const id = { type: ['string', 'null'], description: 'null: the script dropped the event' }
  const schema = { type: 'object', required: ['id'], properties: { id } }
  const accepted = { 202: { description: 'Accepted', content: { 'application/json': { schema } } } }
  const post = operation('receiveInbound', 'A platform’s webhook', { ...handshake, ...accepted })
  post.requestBody = { required: false, content: { '*/*': {} } }
  const get = operation('answerHandshake', 'A platform’s handshake', {
    ...handshake,
    405: { $ref: '#/components/responses/METHOD_NOT_ALLOWED' },
  })
  return { [`${INBOUND_PATH}/{pathSuffix}`]: { get, post } }
}

function inboundErrors(): Json {
  const codes = [
    'SIGNATURE_INVALID',
    'QUOTA_EXCEEDED',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNAVAILABLE',
  ] as const
  const responses = codes.map((code) => [
    ERROR_STATUS[code],
    { $ref: `#/components/responses/${code}` },
  ])
  return Object.fromEntries(responses) as Json
}
