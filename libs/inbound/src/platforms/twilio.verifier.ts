/**
 * Twilio signs the URL that it called, followed by the sorted fields of a form; the hash of any
 * other body it puts into the URL. No other body is bound by the signature, so it counts as not
 * signed.
 */
import { createHash } from 'node:crypto'
import type { RequestView } from '../request-view.ts'
import { calledUrl } from '../schemes/called-url.ts'
import { type Field, glued, sortedFields } from '../schemes/sorted-fields.ts'

export function twilioContent(view: RequestView): string[] {
  const { request } = view
  const { base, search } = calledUrl(view)
  const bodyHash = request.url.searchParams.get('bodySHA256')
  // A parameter that Twilio adds was not part of the URL as it was entered.
  const added = bodyHash === null || /[?&]bodySHA256=/.test(search) ? '' : `bodySHA256=${bodyHash}`
  const query = added === '' ? search : `${search}${search === '' ? '?' : '&'}${added}`
  const urls = withAndWithoutPort(base).map((one) => one + query)
  if (bodyHash !== null) {
    const found = createHash('sha256').update(request.body).digest('hex')
    return found === bodyHash.toLowerCase() ? urls : []
  }
  const form = view.form()
  if (form.size === 0) return request.body.length === 0 ? urls : []
  const fields = glued(sortedFields(unique(form)))
  return urls.map((url) => url + fields)
}

/** A value that one name has twice is signed once. */
function unique(form: URLSearchParams): Field[] {
  const seen = new Map<string, Set<string>>()
  return [...form].filter(([name, value]) => {
    const values = seen.get(name) ?? new Set()
    seen.set(name, values)
    return !values.has(value) && values.add(value)
  })
}

/**
 * Twilio's products differ in whether they write the default port into the URL, and no document
 * says which does: the official libraries try both.
 */
function withAndWithoutPort(base: string): string[] {
  const [, scheme, host = '', path = ''] = /^(https?):\/\/([^/]+)(.*)$/i.exec(base) ?? []
  if (scheme === undefined) return [base]
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  if (host.endsWith(port)) return [base, `${scheme}://${host.slice(0, -port.length)}${path}`]
  return /:\d+$/.test(host) ? [base] : [base, `${scheme}://${host}${port}${path}`]
}
