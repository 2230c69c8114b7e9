/** Where in a template something stands, as people count: lines and code points, from 1. */

export interface TemplatePosition {
  line: number
  column: number
}

export function positionOf(text: string, at: number): TemplatePosition {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1
  return { line, column }
}
