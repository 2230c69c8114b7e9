/** Marqeta names the kind of its events by the list that they stand in. */
export function marqetaEvents(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document
  const [kind, items] = Object.entries(document).find(([, value]) => Array.isArray(value)) ?? []
  return { kind, items }
}
