/**
 * Renders a message's template in the page, by the code that renders it when it is sent. It is a
 * chunk of its own.
 */
import { parseData } from '@posthorn/go-template/parse-data'
import { parseTemplate } from '@posthorn/go-template/parse-template'
import { type RenderOutcome, renderTemplate } from '@posthorn/go-template/render-template'

/** @param json the data as JSON, whose numbers keep their spelling */
export function renderPreview(template: string, json: string): RenderOutcome {
  const parsed = parseTemplate(template)
  if (parsed.outcome === 'ok') return renderTemplate(parsed.template, parseData(json))
  const { line, column, message } = parsed
  return { outcome: 'failed', message: `line ${line}, column ${column}: ${message}` }
}
