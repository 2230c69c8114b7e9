/**
 * A view of a request while it is verified: its parts, parsed when a rule asks for them, and never
 * changed.
 */
import { compilePath } from '@posthorn/domain/json-path'
import { isNestedTooDeep } from '@posthorn/domain/nesting'
import { parseJson } from '@posthorn/domain/parse-json'
import { hasTooManyFields, isForm } from './form-fields.ts'
import { createYieldAfter, type YieldAfter } from './yield-after.ts'
import type { ValueAt } from './value-at.ts'
import type { Credentials, InboundRequest } from './request.ts'

export interface RequestView {
  readonly request: InboundRequest
  readonly credentials: Credentials
  header(name: string): string | undefined
  /** Undefined when the body is no JSON, or is large and was not parsed beforehand. */
  json(): unknown
  /**
   * The fields of a form body; none when it is no form, or has more fields than a form may have.
   */
  form(): URLSearchParams
  /** Every value at a place, in order. Numbers and booleans in JSON count as their JSON text. */
  values(at: ValueAt): string[]
  /** The values of a config key; several while a secret is rotated. */
  configured(name: string): readonly string[]
  /** To be awaited after each large piece of work. */
  yieldAfter: YieldAfter
}

const MAX_NUMBERED_HEADERS = 100
/** A body of this size is parsed in one go, whatever is in it: that takes 5 ms. */
const SMALL_BYTES = 64 * 1024

/**
 * @param parsed the body's JSON, where a rule will ask for it; its value is undefined when the body
 * is no JSON
 */
export function createRequestView(
  request: InboundRequest,
  credentials: Credentials,
  parsed?: { readonly value: unknown },
): RequestView {
  let json = parsed
  let form: URLSearchParams | undefined

  const view: RequestView = {
    request,
    credentials,
    header: (name) => request.headers.get(name.toLowerCase())?.[0],
    json() {
      json ??= { value: parseSmall(request.body) }
      return json.value
    },
    form() {
      form ??= new URLSearchParams(hasFields(view) ? request.body.toString('utf8') : '')
      return form
    },
    yieldAfter: createYieldAfter(),
    values: (at) => valuesAt(view, at),
    configured(name) {
      const value = credentials[name]
      if (value === undefined || value === '') return []
      return typeof value === 'string' ? [value] : value
    },
  }
  return view
}

function valuesAt(view: RequestView, at: ValueAt): string[] {
  const { request } = view
  if ('header' in at) {
    if (!at.repeated) return some(view.header(at.header))
    return [...(request.headers.get(at.header.toLowerCase()) ?? [])].filter((text) => text !== '')
  }
  if ('headerNamedBy' in at) {
    const name = view.configured(at.headerNamedBy)[0] ?? at.or
    return name === undefined ? [] : some(view.header(name))
  }
  if ('numberedHeader' in at) {
    const numbers = Array.from({ length: MAX_NUMBERED_HEADERS }, (_, index) => index + 1)
    return numbers.flatMap((number) => some(view.header(`${at.numberedHeader}${number}`)))
  }
  if ('query' in at) return inQuery(request, at.query)
  if ('queryNamedBy' in at) {
    return inQuery(request, view.configured(at.queryNamedBy)[0] ?? at.or)
  }
  if ('form' in at) return some(view.form().get(at.form) ?? undefined)
  if ('json' in at) return textsAt(at.json, view.json())
  if ('memberNamedBy' in at) {
    const name = view.configured(at.memberNamedBy)[0]
    return name === undefined ? [] : textsAt(`$[${JSON.stringify(name)}]`, view.json())
  }
  if ('config' in at) return [...view.configured(at.config)]
  return some(request.body.toString('utf8').trim())
}

/** @returns the texts, numbers and booleans that a JSONPath finds */
export function textsAt(path: string, value: unknown): string[] {
  const compiled = compilePath(path)
  if (compiled.outcome === 'invalid') throw new Error(`${path}: ${compiled.reason}`)
  return compiled.find(value).flatMap((found) => {
    if (typeof found === 'string') return found
    return typeof found === 'number' || typeof found === 'boolean' ? String(found) : []
  })
}

function inQuery({ url }: InboundRequest, name: string): string[] {
  return some(url.searchParams.get(name) ?? undefined)
}

function some(value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [value]
}

function hasFields({ request }: RequestView): boolean {
  return isForm(request.headers.get('content-type')?.[0] ?? '') && !hasTooManyFields(request.body)
}

function parseSmall(body: Buffer): unknown {
  if (body.length > SMALL_BYTES) return undefined
  const text = body.toString('utf8')
  if (isNestedTooDeep(text)) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
