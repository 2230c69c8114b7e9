/**
 * Keeps the answers of a pure function for texts that come again and again: most senders have few
 * destinations, and parsing and checking a URL costs 10 us against a third of one for finding it
 * here. When the memory is full it starts over, so that no list of uses has to be kept. Only
 * senders whose texts never repeat pay for that.
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
