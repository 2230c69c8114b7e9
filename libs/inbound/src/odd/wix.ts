/** Wix wraps JSON in a text in JSON: what happened stands in `event`, opened. */
export function wixEvent(document: unknown): unknown {
  const { data } = (document ?? {}) as { data?: unknown }
  try {
    const event: unknown = typeof data === 'string' ? JSON.parse(data) : data
    return typeof document === 'object' ? { ...document, event } : document
  } catch {
    return document
  }
}
