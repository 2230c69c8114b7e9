/**
 * The event that a verified request becomes: its type, its key for deduplication, and the headers
 * that are forwarded.
 */
import { createHash, randomUUID } from 'node:crypto'
import { SERVICE_PREFIX } from '@posthorn/domain/match-type'
import type { Preset } from './preset.ts'
import type { ValueAt } from './value-at.ts'
import type { JwtRule, SignatureAt, Verification } from './verification-rules.ts'
import type { Payload } from './payload.ts'
import { textsAt } from './request-view.ts'
import type { InboundRequest } from './request.ts'

const MAX_TYPE_CHARACTERS = 255
/**
 * The idempotency key has 255 characters, of which `inbound:`, a UUID and two colons stand before
 * this id.
 */
const MAX_ID_CHARACTERS = 200

/**
 * @param mapping the path that the user has set at the inbound endpoint; it precedes the preset's
 * @returns an event type by the API's rules; other characters that a platform writes become `_`
 */
export function eventTypeOf(
  preset: Preset,
  mapping: string | null,
  request: InboundRequest,
  { document, opened }: Payload,
): string {
  const found =
    mapping === null
      ? firstText(preset.eventType, { request, document: opened })
      : textsOf(mapping, { request, document })[0]
  const type = found?.slice(0, MAX_TYPE_CHARACTERS).replaceAll(/[^A-Za-z0-9._\-/:]/g, '_')
  if (!type) return `${preset.source}.event`
  // Operational events are this service's own: a platform can't send one.
  return type.startsWith(SERVICE_PREFIX)
    ? `${preset.source}.${type}`.slice(0, MAX_TYPE_CHARACTERS)
    : type
}

/**
 * The platform's own id of what happened, or else the body's hash: it is the same when a request is
 * repeated.
 */
export function deliveryIdOf(preset: Preset, request: InboundRequest, { opened }: Payload): string {
  if (preset.neverDeduplicated) return randomUUID()
  const source = { request, document: opened }
  const id = firstText(preset.deliveryId, source, 'all')
  if (id === undefined) return createHash('sha256').update(request.body).digest('hex')
  const fits = id.length <= MAX_ID_CHARACTERS && /^[\x21-\x7e]+$/.test(id)
  return fits ? id : createHash('sha256').update(id).digest('hex')
}

const HEADER_PATH = /^\$\.headers\.([A-Za-z0-9_-]+)$|^\$\.headers\[(?:'([^']+)'|"([^"]+)")\]$/

interface PathContext {
  readonly request: InboundRequest
  readonly document: unknown
}

const BRACED = /\{(\$[^}]*)\}/g

/** @param which of several values at a place: the first one, or all of them joined by commas */
function firstText(
  paths: readonly string[],
  source: PathContext,
  which: 'first' | 'all' = 'first',
): string | undefined {
  for (const path of paths) {
    let isWhole = true
    const textAt = (one: string) => {
      const texts = textsOf(one, source)
      isWhole &&= texts.length > 0
      return which === 'all' ? texts.join(',') : (texts[0] ?? '')
    }
    const found = path.startsWith('$')
      ? textAt(path)
      : path.replaceAll(BRACED, (_, one: string) => textAt(one))
    if (isWhole && found !== '') return found
  }
  return undefined
}

function textsOf(path: string, { request, document }: PathContext): string[] {
  const header = HEADER_PATH.exec(path)
  const name = header?.[1] ?? header?.[2] ?? header?.[3]
  if (name === undefined) return textsAt(path, document).filter((text) => text !== '')
  const value = request.headers.get(name.toLowerCase())?.[0]
  return value === undefined || value === '' ? [] : [value]
}

/**
 * Headers of the connection and of proxies between the platform and this service, and those that
 * authenticate somebody.
 */
const NOT_PASSED =
  /^(?:host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-(?:length|type|encoding)|accept(?:-.*)?|user-agent|cookie|authorization|proxy-.*|forwarded|via|x-forwarded-.*|x-real-ip|cf-.*|true-client-ip)$/
const SECRET_LOOKING = /signature|token|secret|hmac|auth|digest|-hash$|credential|api-?key/
const MAX_PASSED = 40
const MAX_PASSED_BYTES = 6 * 1024

/**
 * The platform's own headers as `X-Inbound-<Name>`, without those that could prove a sender's
 * identity to others.
 */
export function forwardedHeaders(preset: Preset, request: InboundRequest): Record<string, string> {
  const secret = new Set(headersUsed(preset.verify).map((name) => name.toLowerCase()))
  const passed: Record<string, string> = {}
  let bytes = 0
  for (const [name, values] of request.headers) {
    const value = values.join(', ')
    if (NOT_PASSED.test(name) || secret.has(name) || SECRET_LOOKING.test(name)) continue
    if (!/^[\t\x20-\x7e]*$/.test(value) || Object.keys(passed).length >= MAX_PASSED) continue
    bytes += name.length + value.length + 'X-Inbound-'.length
    if (bytes > MAX_PASSED_BYTES) break
    passed[`X-Inbound-${titled(name)}`] = value
  }
  return passed
}

function titled(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/**
 * The headers that a rule reads a signature, a token or a key from: they are shown with the preset,
 * and never forwarded.
 */
export function headersUsed(rule: Verification): string[] {
  switch (rule.kind) {
    case 'hmac':
    case 'asymmetric':
      return headersOf(rule.signature)
    case 'token':
    case 'jwt':
      return headerOf((rule as JwtRule).at)
    case 'basic':
      return ['Authorization']
    case 'any':
    case 'all':
      return [...new Set(rule.of.flatMap(headersUsed))]
    case 'custom':
      return [...(rule.headers ?? [])]
    case 'none':
      return []
  }
}

function headersOf({ at }: SignatureAt): string[] {
  return headerOf(at)
}

function headerOf(at: ValueAt): string[] {
  if ('header' in at) return [at.header]
  if ('numberedHeader' in at) return [`${at.numberedHeader}1`]
  return 'headerNamedBy' in at && at.or !== undefined ? [at.or] : []
}
