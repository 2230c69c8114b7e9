/**
 * Signatures as they stand in a header, a field or the body: alone, in a list, or among named
 * fields.
 */
import type { SignatureAt, SignatureFormat } from './verification-rules.ts'
import type { RequestView } from './request-view.ts'

/** The signatures that belong to one timestamp, which are alternatives. */
export interface SignatureSet {
  readonly timestamp?: string
  readonly signatures: readonly string[]
}

/** No signature header is this long: what stands behind is ignored. */
const MAX_SIGNATURES = 100
/**
 * The sets of one request, each of which has a time of its own and takes another hash of the body.
 * Platforms send one or two.
 */
const MAX_SETS = 5

/**
 * Signatures with the same time form one set.
 *
 * @returns null when there is nothing at the place; an empty list when what is there is no
 * signature
 */
export function readSignatures(at: SignatureAt, view: RequestView): SignatureSet[] | null {
  const texts = view.values(at.at)
  if (texts.length === 0) return null
  const format = at.format ?? { kind: 'bare' }
  const filled = withConfig(format, view)
  const byTime = new Map<string | undefined, string[]>()
  let count = 0
  for (const text of texts.slice(0, MAX_SIGNATURES)) {
    for (const { timestamp, signatures } of parse(text, filled)) {
      if (signatures.length === 0 || count >= MAX_SIGNATURES) continue
      const known = byTime.get(timestamp)
      if (known === undefined && byTime.size >= MAX_SETS) continue
      count += signatures.length
      if (known === undefined) byTime.set(timestamp, [...signatures])
      else known.push(...signatures)
    }
  }
  return [...byTime].map(([timestamp, signatures]) => ({
    ...(timestamp === undefined ? {} : { timestamp }),
    signatures,
  }))
}

function withConfig(format: SignatureFormat, view: RequestView): SignatureFormat {
  const { prefix } = format
  if (prefix === undefined) return format
  const filled = prefix.replace(/\{config:(\w+)\}/g, (_, key) => view.configured(key)[0] ?? '')
  return { ...format, prefix: filled }
}

function parse(text: string, format: SignatureFormat): SignatureSet[] {
  switch (format.kind) {
    case 'bare':
      return [{ signatures: afterPrefix(text.trim(), format.prefix) }]
    case 'list': {
      const entries = split(text, format.separator)
      const timestamp = format.firstIs === 't' ? entries.shift() : undefined
      const signatures = entries.flatMap((entry) => afterPrefix(entry, format.prefix))
      return [{ ...(timestamp === undefined ? {} : { timestamp }), signatures }]
    }
    case 'fields':
      return (format.sets === undefined ? [text] : split(text, format.sets)).map((set) =>
        parseFields(set, format),
      )
  }
}

function parseFields(text: string, format: SignatureFormat & { kind: 'fields' }): SignatureSet {
  const fields = split(text, format.separator).map((field) => {
    const equals = field.indexOf('=')
    return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()] as const
  })
  const timestamp = fields.find(([name]) => name === format.timestamp)?.[1]
  const signatures = fields
    .filter(([name]) => name === format.signature)
    .flatMap(([, value]) => afterPrefix(value, format.prefix))
  return { ...(timestamp === undefined ? {} : { timestamp }), signatures }
}

function split(text: string, separator: string): string[] {
  return text
    .split(separator)
    .slice(0, MAX_SIGNATURES)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function afterPrefix(text: string, prefix = ''): string[] {
  if (text.length <= prefix.length) return []
  return text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()
    ? [text.slice(prefix.length)]
    : []
}
