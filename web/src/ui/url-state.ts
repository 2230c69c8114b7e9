/** The state of a screen in its URL: filters, the open tab. Back restores it, and so does a link. */
import { useNavigate, useSearch } from '@tanstack/react-router'

export type UrlState = Readonly<Record<string, string | undefined>>

export function useUrlState(): [UrlState, (change: UrlState) => void] {
  const state: UrlState = useSearch({ strict: false })
  const navigate = useNavigate()
  function change(changes: UrlState): void {
    const next = Object.entries({ ...state, ...changes }).filter(([, value]) => Boolean(value))
    void navigate({ to: '.', search: Object.fromEntries(next) as never, resetScroll: false })
  }
  return [state, change]
}

/** Plain texts, so that a URL reads as it was written: the router's own way is JSON. */
export const searchFormat = {
  parseSearch: (text: string): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search: Record<string, unknown>): string {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
}
