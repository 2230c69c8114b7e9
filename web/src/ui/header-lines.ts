/** Headers of requests as lines of a text: `Name: value`. Pure. */

/** @returns null: there are none */
export function headersOf(text: string): Record<string, string> | null {
  const headers = text.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    if (line.trim() === '') return []
    return colon === -1
      ? [[line.trim(), '']]
      : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]]
  })
  return headers.length === 0 ? null : Object.fromEntries(headers)
}

export function headerLines(headers: unknown): string {
  if (typeof headers !== 'object' || headers === null) return ''
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}
