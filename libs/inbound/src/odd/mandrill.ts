/** Mandrill signs the URL as it was entered, and behind it the names and values of the form, sorted by name. */
import { readJson } from '../read-json.ts'
import type { RequestView } from '../request-view.ts'
import { webhookUrl } from '../signed-content.ts'
import { glued, sortedFields } from '../schemes/sorted-fields.ts'

export function mandrillContent(reading: RequestView): string[] {
  const form = reading.form()
  return form.size === 0 ? [] : [webhookUrl(reading) + glued(sortedFields(form))]
}

/** The events are a JSON array in a field of the form. */
export async function mandrillEvents(document: unknown): Promise<unknown> {
  const { mandrill_events: events } = (document ?? {}) as { mandrill_events?: unknown }
  if (typeof events !== 'string') return document
  const read = await readJson(events)
  return read.outcome === 'ok' ? read.value : document
}
