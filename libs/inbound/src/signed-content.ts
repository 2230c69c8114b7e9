/**
 * The content that a platform signs, written as in its documents: `{t}.{body}`,
 * `v0:{header:X-Time}:{body}`.
 *
 * Words: `{body}` the body's bytes; `{t}` the timestamp as it was sent; `{method}`; `{url}` the
 * config key `webhook_url` when it is set, else the inbound endpoint's URL with its query; `{path}`
 * path and query; `{header:Name}`, `{query:name}`, `{form:name}`, `{json:$.path}`, `{config:name}`;
 * `{key}` the secret itself; `{sha256:body}` and `{base64:body}` the body's hash in hex and its
 * base64. A backslash-n is a line's end. A missing value is empty.
 */
import { createHash } from 'node:crypto'
import type { ValueAt } from './value-at.ts'
import type { ContentOf } from './verification-rules.ts'
import type { RequestView } from './request-view.ts'

export interface SigningContext {
  readonly view: RequestView
  /** As it stood in the request. */
  readonly timestamp: string
  readonly key: Buffer
}

/** All contents that may have been signed. */
export async function contentsOf(
  { signed, content }: { readonly signed: string; readonly content?: ContentOf },
  signing: SigningContext,
): Promise<Buffer[]> {
  if (content === undefined) return [signedContent(signed, signing)]
  const contents = await content(signing.view, signing.timestamp)
  return contents.map((one) => Buffer.from(one as string))
}

const WORD = /\{([a-z0-9]+)(?::([^}]+))?\}/g

export function signedContent(template: string, signing: SigningContext): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const match of template.matchAll(WORD)) {
    parts.push(Buffer.from(template.slice(at, match.index)))
    parts.push(valueOf(match[1] as string, match[2], signing))
    at = match.index + match[0].length
  }
  parts.push(Buffer.from(template.slice(at)))
  return Buffer.concat(parts)
}

function valueOf(word: string, argument: string | undefined, signing: SigningContext): Buffer {
  const { view, timestamp, key } = signing
  const { request } = view
  switch (word) {
    case 'body':
      return request.body
    case 't':
      return Buffer.from(timestamp)
    case 'key':
      return key
    case 'method':
      return Buffer.from(request.method)
    case 'url':
      return Buffer.from(webhookUrl(view))
    case 'path':
      return Buffer.from(request.url.pathname + request.url.search)
    case 'sha256':
      return Buffer.from(createHash('sha256').update(request.body).digest('hex'))
    case 'base64':
      return Buffer.from(request.body.toString('base64'))
    default:
      return Buffer.from(view.values(placeOf(word, argument)).at(0) ?? '')
  }
}

/** The URL as it was entered at the platform, which signs it character by character. */
export function webhookUrl(view: RequestView): string {
  return view.configured('webhook_url')[0] ?? view.request.url.href
}

function placeOf(word: string, argument = ''): ValueAt {
  if (word === 'header') return { header: argument }
  if (word === 'query') return { query: argument }
  if (word === 'form') return { form: argument }
  if (word === 'json') return { json: argument }
  if (word === 'config') return { config: argument }
  throw new Error(`{${word}} is no word of what is signed`)
}
