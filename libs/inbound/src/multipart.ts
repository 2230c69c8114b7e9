/**
 * The fields of a multipart form (RFC 7578): texts, and of a file its name only, for the content of
 * a file is no part of an event. It is one walk over the body, whose cost grows with the body's
 * length alone. Node's own reader blocks the event loop for 130 ms on a megabyte of small parts,
 * for it makes an object of each.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { MAX_FIELDS } from './form-fields.ts'

export type MultipartFields = readonly (readonly [name: string, value: string])[]

export type MultipartResult =
  | { readonly outcome: 'ok'; readonly fields: MultipartFields }
  | { readonly outcome: 'too_many_fields' | 'malformed' }

const MALFORMED = { outcome: 'malformed' } as const
/** The head of one part. A name and a file's name are some 100 bytes. */
const MAX_HEAD_BYTES = 8 * 1024
const DELIMITER = Buffer.from('\r\n--')
const HEAD_END = Buffer.from('\r\n\r\n')

/** Each is looked at in 0.3 us, and in several in code that is not compiled yet. */
const DELIMITERS_A_STEP = 2_000

export async function readMultipart(contentType: string, body: Buffer): Promise<MultipartResult> {
  return await inTurns(readInSteps(contentType, body))
}

function* readInSteps(
  contentType: string,
  body: Buffer,
): Generator<undefined, MultipartResult, undefined> {
  const named = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = Buffer.from(named?.[1] ?? named?.[2] ?? '', 'latin1')
  if (boundary.length === 0) return MALFORMED
  const fields: (readonly [string, string])[] = []
  // The first delimiter stands at the body's beginning, or behind a preamble, which is skipped.
  const opening = body.subarray(0, 2).toString('latin1') === '--'
  let at =
    opening && startsWith(body, boundary, 2)
      ? 2 + boundary.length
      : yield* afterDelimiter(body, boundary, 0)
  while (at !== -1) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return { outcome: 'ok', fields }
    if (fields.length >= MAX_FIELDS) return { outcome: 'too_many_fields' }
    const end = yield* afterDelimiter(body, boundary, at)
    if (end === -1) return MALFORMED
    const field = readPart(body.subarray(at, end - boundary.length - DELIMITER.length))
    if (field === null) return MALFORMED
    fields.push(field)
    at = end
  }
  return MALFORMED
}

/** @returns the position behind the next delimiter; -1 when there is none */
function* afterDelimiter(
  body: Buffer,
  boundary: Buffer,
  from: number,
): Generator<undefined, number, undefined> {
  // Only the first characters of the delimiter are searched for, as a boundary can be made that
  // nearly matches everywhere.
  let at = body.indexOf(DELIMITER, from)
  for (
    let looked = 1;
    at !== -1 && !startsWith(body, boundary, at + DELIMITER.length);
    looked += 1
  ) {
    if (looked % DELIMITERS_A_STEP === 0) yield
    at = body.indexOf(DELIMITER, at + DELIMITER.length)
  }
  return at === -1 ? -1 : at + DELIMITER.length + boundary.length
}

function startsWith(body: Buffer, boundary: Buffer, at: number): boolean {
  return body.subarray(at, at + boundary.length).equals(boundary)
}

/** @param part everything between two delimiters */
function readPart(part: Buffer): readonly [string, string] | null {
  const headEnd = part.subarray(0, MAX_HEAD_BYTES).indexOf(HEAD_END)
  if (headEnd === -1) return null
  const head = part.subarray(0, headEnd).toString('utf8')
  const disposition = /\r\ncontent-disposition:[ \t]*form-data[ \t]*;([^\r]*)/i.exec(head)?.[1]
  if (disposition === undefined) return null
  const name = parameter(disposition, 'name')
  if (name === null) return null
  const fileName = parameter(disposition, 'filename')
  if (fileName !== null) return [name, fileName]
  const content = part.subarray(headEnd + HEAD_END.length)
  const isBase64 = /\r\ncontent-transfer-encoding:[ \t]*base64[ \t]*(?:\r|$)/i.test(head)
  const text = isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content
  return [name, text.toString('utf8')]
}

/** A parameter as browsers write it: quotes and line ends within it are percent-encoded. */
function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`(?:^|;)[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition)
  const value = found?.[1] ?? found?.[2]
  return value?.replaceAll(/%(?:0A|0D|22)/gi, decodeURIComponent) ?? null
}
