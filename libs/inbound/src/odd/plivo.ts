/** Plivo's signature V3: the URL with its query in order, the form's fields in order, and a nonce, with dots between. */
import type { RequestView } from '../request-view.ts'
import { calledUrl } from '../schemes/called-url.ts'
import { glued, sortedFields } from '../schemes/sorted-fields.ts'

export function plivoContent(reading: RequestView): string[] {
  const nonce = reading.header('X-Plivo-Signature-V3-Nonce')
  const form = reading.form()
  const isSomethingElse = form.size === 0 && reading.request.body.length > 0
  if (nonce === undefined || isSomethingElse) return []
  const { base, search } = calledUrl(reading)
  const query = sortedFields(new URLSearchParams(search))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  // With fields, the question mark is there without a query, too, and the dot only with one: so Plivo's library does it.
  const mark = query !== '' || form.size > 0 ? '?' : ''
  const dot = query !== '' && form.size > 0 ? '.' : ''
  return [`${base}${mark}${query}${dot}${glued(sortedFields(form))}.${nonce}`]
}
