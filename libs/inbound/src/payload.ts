/**
 * What an event is made of: a body of any kind as the JSON object that destinations get. A JSON object stays as it was
 * sent, letter by letter; everything else is put into one.
 */
import { gunzipSync } from 'node:zlib'
import { claimsIn } from './jwt-event.ts'
import type { Preset } from './preset.ts'
import type { InboundRequest } from './request.ts'

export interface Payload {
  /** A JSON object. */
  readonly text: string
  /** What paths to the event's type and id lead into: the body's own value, for a list too. */
  readonly document: unknown
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Of a verified request: of one that is a token itself, what it says. */
export async function readPayload(
  { headers, body: sent }: InboundRequest,
  { verify }: Pick<Preset, 'verify'>,
): Promise<Payload> {
  const type = headers.get('content-type')?.[0] ?? ''
  const body = /^gzip$/i.test(headers.get('content-encoding')?.[0] ?? '') ? unpacked(sent) : sent
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return fromFields(new URLSearchParams(body.toString('utf8')))
  }
  if (/^multipart\/form-data\b/i.test(type)) {
    const fields = await readMultipart(type, body)
    if (fields !== null) return fromFields(fields)
  }
  const text = textOf(body)
  if (text === null) {
    const wrapped = { base64: body.toString('base64'), contentType: type }
    return { text: JSON.stringify(wrapped), document: wrapped }
  }
  const claims = claimsIn(text, verify)
  if (claims !== null) return fromJson(claims) ?? { text: claims, document: claims }
  return fromJson(text) ?? { text: JSON.stringify({ text }), document: { text } }
}

/** As much as may come unpacked; what would swell beyond stays as it came. */
const MAX_UNPACKED_BYTES = 1024 * 1024

function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    return body
  }
}

/** null: bytes. What Postgres can't hold as text is bytes too. */
function textOf(body: Buffer): string | null {
  try {
    const text = UTF8.decode(body)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** @returns null for what is no JSON */
function fromJson(text: string): Payload | null {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return null
  }
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return { text: isObject ? text.trim() : `{"data":${text.trim()}}`, document }
}

/** A form of one field that holds an object is that object: so GitHub and Slack send theirs. */
function fromFields(fields: Iterable<readonly [string, string]>): Payload {
  const byName = new Map<string, string[]>()
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value])
  const [only] = byName.values()
  if (byName.size === 1 && only?.length === 1 && /^\s*\{/.test(only[0] as string)) {
    const inner = fromJson(only[0] as string)
    if (inner !== null) return inner
  }
  const document = Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
  return { text: JSON.stringify(document), document }
}

/** Fields of text; of a file its name only: what is in it is no event. null: broken. */
async function readMultipart(type: string, body: Buffer): Promise<[string, string][] | null> {
  try {
    const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    const form = await response.formData()
    return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])
  } catch {
    return null
  }
}
