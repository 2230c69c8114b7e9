/**
 * Keeps the results of a pure function for texts that come again and again: most senders have a few
 * destinations, and parsing and checking a URL takes 10 us against a third of one for finding it
 * here. When the map is full it is cleared, so that no order of use has to be kept. Senders whose
 * texts never repeat pay only for storing them.
 */
export function memoize<Answer>(
  most: number,
  answer: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = answer(text)
    if (known.size >= most) known.clear()
    known.set(text, made)
    return made
  }
}
