/** Marqeta names the kind of its events by the list that they stand in. */
import { isCrowded } from '@posthorn/domain/json-in-steps'

export function marqetaEvents(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || isCrowded(document)) return document
  for (const kind of Object.keys(document)) {
    const items = (document as Record<string, unknown>)[kind]
    if (Array.isArray(items)) return { kind, items }
  }
  return { kind: undefined, items: undefined }
}
