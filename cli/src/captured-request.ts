/**
 * A request as somebody captured it: the text of HTTP, with or without its first line, or JSON with
 * `headers` and `body`, as request bins and logs have them.
 */
import { usage } from './failure.ts'

export interface CapturedRequest {
  headers: Record<string, string>
  body: string
}

export function readCaptured(text: string): CapturedRequest {
  return /^\s*\{/.test(text) ? fromJson(text) : fromHttp(text)
}

function fromJson(text: string): CapturedRequest {
  let parsed: { headers?: unknown; body?: unknown }
  try {
    parsed = JSON.parse(text) as typeof parsed
  } catch {
    throw usage('the captured request is neither HTTP nor JSON')
  }
  const { headers, body } = parsed
  if (typeof headers !== 'object' || headers === null || typeof body !== 'string')
    throw usage('a captured request as JSON has "headers" (an object) and "body" (a text)')
  const first = (value: unknown): string => String(Array.isArray(value) ? value[0] : value)
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, first(value)]),
    ),
    body,
  }
}

function fromHttp(text: string): CapturedRequest {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/)
  if (rest.length === 0) throw usage('the captured request has no empty line before its body')
  const separator = /\r?\n\r?\n/.exec(text)
  const body = text.slice((separator?.index ?? 0) + (separator?.[0].length ?? 0))
  const lines = head.split(/\r?\n/).filter((line) => !/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line))
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined) throw usage(`this line of the captured request is no header: ${line}`)
    headers[name] = value ?? ''
  }
  return { headers, body }
}
