/** Compares what a block printed with what its page shows, where `…` stands for anything. */

export function isAsShown(shown: string, printed: string): boolean {
  return pattern(shown.trim(), '^', '$').test(printed.trim())
}

/** Whether what is shown stands somewhere in what was printed. */
export function isWithin(shown: string, printed: string): boolean {
  return pattern(shown.trim(), '', '').test(printed)
}

function pattern(shown: string, from: string, to: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`${from}${parts.join('[^]*?')}${to}`)
}

/** An answer may have more fields than are shown. */
export function isAnswerAsShown(shown: unknown, answer: unknown): boolean {
  if (typeof shown === 'string') return typeof answer === 'string' && isAsShown(shown, answer)
  if (typeof shown !== 'object' || shown === null) return shown === answer
  if (typeof answer !== 'object' || answer === null) return false
  if (Array.isArray(shown)) {
    const items = answer as unknown[]
    return (
      Array.isArray(answer) &&
      items.length === shown.length &&
      shown.every((item, at) => isAnswerAsShown(item, items[at]))
    )
  }
  const fields = answer as Record<string, unknown>
  return Object.entries(shown).every(([name, value]) => isAnswerAsShown(value, fields[name]))
}
