/** Places in a request in words, for people who look for what is missing. */
import type { ValueAt } from './value-at.ts'
import type { SignatureAt } from './verification-rules.ts'

export function describePlace(at: ValueAt): string {
  if ('header' in at) return `header ${at.header}`
  if ('headerNamedBy' in at) {
    const or = at.or === undefined ? '' : `, or ${at.or}`
    return `the header named by ${at.headerNamedBy}${or}`
  }
  if ('numberedHeader' in at) return `headers ${at.numberedHeader}1, ${at.numberedHeader}2, …`
  if ('query' in at) return `query parameter ${at.query}`
  if ('queryNamedBy' in at) return `the query parameter named by ${at.queryNamedBy}, or ${at.or}`
  if ('form' in at) return `form field ${at.form}`
  if ('json' in at) return `${at.json} in the body`
  if ('memberNamedBy' in at) return `the body's member named by ${at.memberNamedBy}`
  if ('config' in at) return `config key ${at.config}`
  return 'the whole body'
}

export function describeSignature({ at, format }: SignatureAt): string {
  const place = describePlace(at)
  if (format === undefined) return place
  switch (format.kind) {
    case 'bare':
      return format.prefix ? `${place}, after ${format.prefix}` : place
    case 'list':
      return `${place}, a list${format.prefix ? ` of ${format.prefix}…` : ''}`
    case 'fields':
      return `${place}, as ${format.signature}=${format.prefix ?? ''}…`
  }
}
