/**
 * The answers of a pure function, kept for texts that come again and again: most senders have a few destinations, and
 * parsing and judging a URL costs 10 us against a third of one for finding it here. When it is full it starts over, so
 * that no list of uses has to be kept: senders whose texts never repeat pay for the keeping alone.
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
