/**
 * What a browser keeps for its user, such as a theme. Storage throws in a frame whose host's site
 * has none; the choice then lasts as long as the page.
 */
const here = new Map<string, string>()

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return here.get(key) ?? null
  }
}

/** @param value null: no longer */
export function keep(key: string, value: string | null): void {
  if (value === null) here.delete(key)
  else here.set(key, value)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // kept above
  }
}
