/**
 * Keeps the results of a pure function for texts that come again and again: most senders have a few
 * destinations, and parsing and checking a URL takes 10 us against a third of one for finding it
 * here. When the map is full it is cleared, so that no order of use has to be kept. Senders whose
 * texts never repeat pay only for storing them.
 */
export function memoize<Result>(
  maxEntries: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    if (known.size >= maxEntries) known.clear()
    known.set(text, result)
    return result
  }
}
