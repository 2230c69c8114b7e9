/** Wix wraps JSON in a text in JSON: what happened stands in `event`, opened. */
import { readJson } from '../read-json.ts'

export async function wixEvent(document: unknown): Promise<unknown> {
  const { data, eventType } = (document ?? {}) as { data?: unknown; eventType?: unknown }
  if (typeof data !== 'string') return { eventType, event: data }
  const read = await readJson(data)
  return read.outcome === 'ok' ? { eventType, event: read.value } : document
}
