/**
 * The public path of inbound endpoints in the OpenAPI document. It is written by hand because it is
 * not a route of the catalog.
 */
import { ERROR_STATUS } from './errors.ts'
import { INBOUND_PATH } from './inbound.ts'

type Json = Record<string, unknown>

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
      'Public: the platform proves itself by its signature, as the receiver’s preset says.',
    tags: [INBOUND_TAG],
    security: [],
    parameters: [pathSuffix],
    responses: { ...responses, ...receiverErrors() },
  })
  const handshake = { 200: { description: 'A handshake’s answer, as the platform demands it' } }
  const id = { type: ['string', 'null'], description: 'null: its script dropped it' }
  const schema = { type: 'object', required: ['id'], properties: { id } }
  const taken = { 202: { description: 'Taken in', content: { 'application/json': { schema } } } }
  const post = operation('receiveInbound', 'A platform’s webhook', { ...handshake, ...taken })
  post.requestBody = { required: false, content: { '*/*': {} } }
  const get = operation('answerHandshake', 'A platform’s question whether we are there', {
    ...handshake,
    405: { $ref: '#/components/responses/METHOD_NOT_ALLOWED' },
  })
  return { [`${INBOUND_PATH}/{pathSuffix}`]: { get, post } }
}

function receiverErrors(): Json {
  const codes = ['SIGNATURE_INVALID', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'] as const
  const responses = codes.map((code) => [
    ERROR_STATUS[code],
    { $ref: `#/components/responses/${code}` },
  ])
  return Object.fromEntries(responses) as Json
}
