/** Mandrill signs the URL as it was entered, and behind it the names and values of the form, sorted by name. */
import type { Reading } from '../reading.ts'
import { webhookUrl } from '../signed-content.ts'
import { glued, sortedFields } from './sorted-fields.ts'

export function mandrillContent(reading: Reading): string[] {
  const form = reading.form()
  return form.size === 0 ? [] : [webhookUrl(reading) + glued(sortedFields(form))]
}

/** The events are a JSON array in a field of the form. */
export function mandrillEvents(document: unknown): unknown {
  const { mandrill_events: events } = (document ?? {}) as { mandrill_events?: unknown }
  try {
    return typeof events === 'string' ? JSON.parse(events) : document
  } catch {
    return document
  }
}
