/** Checks templates when they are saved, and renders them for a target. */
import { parseTemplate } from '@posthorn/go-template/parse-template'
import { renderTemplate } from '@posthorn/go-template/render-template'
import type { FindTemplateProblem } from '../refusals.ts'
import { escapeFor } from '../targets/escape.ts'
import type { RenderText } from './compose.ts'

export const findTemplateProblem: FindTemplateProblem = (text) => {
  const parsed = parseTemplate(text)
  return parsed.outcome === 'ok' ? null : parsed
}

export const renderText: RenderText = (text, data, type) => {
  const parsed = parseTemplate(text)
  if (parsed.outcome === 'ok') {
    return renderTemplate(parsed.template, data, { escape: escapeFor(type) })
  }
  return { outcome: 'failed', message: parsed.message }
}
