/**
 * The payload of an event: a body of any kind as the JSON object that endpoints get. A JSON object
 * stays as it was sent, byte for byte; everything else is put into one.
 */
import { gunzipSync } from 'node:zlib'
import { hasTooManyFields, isForm } from './form-fields.ts'
import { claimsIn } from './jwt-event.ts'
import { type MultipartFields, readMultipart } from './multipart.ts'
import type { Preset } from './preset.ts'
import { isSwelling, readJson } from './read-json.ts'
import type { InboundRequest } from './request.ts'
import type { PayloadRefusal } from './verification-result.ts'
import { betweenReadings } from './yield-after.ts'

export interface Payload {
  /** The text of a JSON object. */
  readonly text: string
  /**
   * The document that a user's path to the event's type leads into: the body's own value, also for
   * a list.
   */
  readonly document: unknown
  /**
   * The document that the preset's paths to type and id lead into: the same, or the content of its
   * envelope.
   */
  readonly opened: unknown
}

/** No event can be made of such a body, whoever signed it. */
export interface RefusedPayload {
  readonly refused: PayloadRefusal
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

type PayloadContent = Omit<Payload, 'opened'>

/** The payload of a verified request. Where the body is a token, its claims are the payload. */
export async function readPayload(
  request: InboundRequest,
  { verify, unpack }: Pick<Preset, 'verify' | 'unpack'>,
): Promise<Payload | RefusedPayload> {
  const content = await readContent(request, verify)
  if ('refused' in content) return content
  const opened = unpack === undefined ? content.document : await unpack(content.document)
  await betweenReadings(request.body)
  return { ...content, opened }
}

async function readContent(
  { headers, body: sent }: InboundRequest,
  verify: Preset['verify'],
): Promise<PayloadContent | RefusedPayload> {
  const type = headers.get('content-type')?.[0] ?? ''
  const body = /^gzip$/i.test(headers.get('content-encoding')?.[0] ?? '') ? unpacked(sent) : sent
  if (await isSwelling(body)) return wrapped(body, type)
  if (isForm(type)) {
    if (hasTooManyFields(body)) return { refused: 'too_many_fields' }
    return await fromFields([...new URLSearchParams(body.toString('utf8'))])
  }
  if (/^multipart\/form-data\b/i.test(type)) {
    const read = await readMultipart(type, body)
    if (read.outcome === 'ok') return await fromFields(read.fields)
    if (read.outcome !== 'malformed') return { refused: read.outcome }
    await betweenReadings(body)
  }
  const text = textOf(body)
  await betweenReadings(body)
  if (text === null) return wrapped(body, type)
  const claims = await claimsIn(text, verify)
  if (claims !== null) return (await fromJson(claims)) ?? { text: claims, document: claims }
  const content = await fromJson(text)
  if (content !== null) return content
  await betweenReadings(text)
  return { text: JSON.stringify({ text }), document: { text } }
}

function wrapped(body: Buffer, contentType: string): PayloadContent {
  const document = { base64: body.toString('base64'), contentType }
  return { text: JSON.stringify(document), document }
}

/** The largest body that may come uncompressed; what would unpack to more stays compressed. */
const MAX_UNPACKED_BYTES = 1024 * 1024

function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    return body
  }
}

/**
 * @returns null for bytes that are no text. Text that Postgres can't store counts as bytes, too.
 */
function textOf(body: Buffer): string | null {
  try {
    const text = UTF8.decode(body)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** @returns null for a text that is no JSON */
async function fromJson(text: string): Promise<PayloadContent | RefusedPayload | null> {
  const read = await readJson(text)
  if (read.outcome === 'no_json') return null
  if (read.outcome !== 'ok') return { refused: 'too_deep' }
  const document = read.value
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return { text: isObject ? text.trim() : `{"data":${text.trim()}}`, document }
}

/**
 * A form whose only field holds an object becomes that object: GitHub and Slack send their events
 * so.
 */
async function fromFields(fields: MultipartFields): Promise<PayloadContent | RefusedPayload> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of fields) {
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [value])
    else known.push(value)
  }
  const [only] = byName.values()
  if (byName.size === 1 && only?.length === 1 && /^\s*\{/.test(only[0] as string)) {
    const inner = await fromJson(only[0] as string)
    if (inner !== null) return inner
  }
  const document = Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
  return { text: JSON.stringify(document), document }
}
