/**
 * The URL that a platform called: as it was entered there, character by character, with its query.
 * Where it was entered without a query, the query that came.
 */
import type { RequestView } from '../request-view.ts'

export interface CalledUrl {
  readonly base: string
  /** The query with its question mark; empty when there is none. */
  readonly search: string
}

export function calledUrl(view: RequestView): CalledUrl {
  const { url } = view.request
  const entered = view.configured('webhook_url')[0] ?? url.href
  const [base = '', query] = entered.split(/[?#]/)
  return { base, search: query === undefined ? url.search : `?${query}` }
}
