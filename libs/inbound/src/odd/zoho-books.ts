/** Zoho signs the pairs of the query and of a form, sorted by name and glued together, and behind them a JSON body. */
import type { RequestView } from '../request-view.ts'
import { sortedFields, glued } from '../schemes/sorted-fields.ts'

export function zohoBooksContent(reading: RequestView): Buffer[] {
  const { url, body } = reading.request
  const entered = reading.configured('webhook_url')[0]
  const query =
    (entered === undefined ? null : URL.parse(entered))?.searchParams ?? url.searchParams
  const form = reading.form()
  const pairs = glued(sortedFields([...query, ...form]))
  return [Buffer.concat([Buffer.from(pairs), form.size === 0 ? body : Buffer.alloc(0)])]
}
