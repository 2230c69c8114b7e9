/** Paddle Classic signs what PHP's serialize() makes of the form's fields, sorted by name and without the signature. */
import type { RequestView } from '../request-view.ts'
import { sortedFields } from '../schemes/sorted-fields.ts'

export function paddleClassicContent(reading: RequestView): string[] {
  // As PHP reads a form: of a name that comes twice, the last.
  const fields = new Map(reading.form())
  if (!fields.delete('p_signature')) return []
  const pairs = sortedFields(fields).map(([name, value]) => text(name) + text(value))
  return [`a:${fields.size}:{${pairs.join('')}}`]
}

function text(value: string): string {
  return `s:${Buffer.byteLength(value)}:"${value}";`
}
